// Measures event streams: the processor time of a delivery against a bare `node:http` server that writes the same bytes
// to as many connections, the delay behind the commit, and the cost of streams that wait.

import { setTimeout as wait } from 'node:timers/promises'
import { systemCommand } from '../../../packages/server/src/core/work/command.ts'
import type { Runtime } from '../../../packages/server/src/core/work/runtime.ts'
import { createAdminToken, makeAccount } from '../../../packages/server/src/iam/accounts/accounts.service.ts'
import { putLimitOverride } from '../../../packages/server/src/iam/accounts/limits.store.ts'
import { type Child, loadCore, type ServerChild, serverCore, startChild } from '../child.ts'
import { makePlace } from '../event-world.ts'
import { processorMilliseconds } from '../processor-time.ts'
import type { Row } from '../row.ts'
import { median } from '../turns.ts'

type Counted = { readonly events: number; readonly bytes: number; readonly closed: number }
type Lag = { readonly measured: number; readonly p50: number; readonly p99: number; readonly max: number }
type Load = Child<unknown, unknown>

const account_id = 'bench'
const fanoutStreams = 1_000
const idleStreams = 10_000
const lagStreams = 200
/** One batch every tenth of a second, as often as the server polls. */
const batchMilliseconds = 100
const fanoutBatch = 10
const lagBatch = 50
const rounds = 8
const roundBatches = 20
const idleSeconds = 30

/** The rows of event streams. */
export async function* pushRows(wanted: (name: string) => boolean): AsyncGenerator<Row> {
  if (wanted('stream_fanout')) yield await onPlace(fanoutRow)
  if (wanted('stream_lag')) yield await onPlace(lagRow)
  if (['streams_idle_kb', 'streams_idle_processor'].some(wanted)) yield* await onPlace(idleRows)
}

type Site = {
  readonly server: ServerChild
  readonly load: Load
  readonly token: string
  /** Commits events of the account in one transaction; their targets are numbered. */
  readonly emit: (count: number) => Promise<void>
  /** When each numbered event was committed, in milliseconds since 1970. */
  readonly commits: number[]
}

async function onPlace<T>(measure: (site: Site) => Promise<T>): Promise<T> {
  await using place = await makePlace()
  // The writer is this process: a server of its own, like another replica.
  return await place.prepare(async ({ runtime }) => {
    const token = await makeReader(runtime)
    await using server = await place.serve()
    await using load: Load = await startChild('push/streams-program.ts', {}, loadCore)
    const commits: number[] = []
    const emit = (count: number) => emitNumbered(runtime, count, commits)
    return await measure({ server, load, token, emit, commits })
  })
}

async function makeReader(runtime: Runtime): Promise<string> {
  return await systemCommand(runtime, async (ctx) => {
    const { workspace_id } = await makeAccount(ctx, { id: account_id, trust_level: 'trusted' })
    await putLimitOverride(ctx.db, account_id, 'event_streams', null)
    return (await createAdminToken(ctx, { account_id, workspace_id, name: 'bench' })).token
  })
}

async function emitNumbered(runtime: Runtime, count: number, commits: number[]): Promise<void> {
  const from = commits.length
  await systemCommand(runtime, async (ctx) => {
    for (let n = from; n < from + count; n++) {
      const target = { target_type: 'instance', target_id: `n${n}` }
      ctx.emit({ account_id, workspace_id: null, action: 'instance.running', ...target })
    }
  })
  const at = performance.timeOrigin + performance.now()
  for (let n = 0; n < count; n++) commits.push(at)
}

/** Runs work at a pace that does not depend on how long the work takes. */
async function paced(turns: number, work: (turn: number) => Promise<unknown>): Promise<void> {
  const begun_at = performance.now()
  const running: Promise<unknown>[] = []
  for (let turn = 0; turn < turns; turn++) {
    await wait(Math.max(0, begun_at + turn * batchMilliseconds - performance.now()))
    running.push(work(turn))
  }
  await Promise.all(running)
}

async function untilDelivered(load: Load, name: string, events: number): Promise<Counted> {
  const until = performance.now() + 60_000
  for (;;) {
    const counted = (await load.ask({ count: name })) as Counted
    if (counted.events >= events) return counted
    if (performance.now() > until)
      throw new Error(`${counted.events} of ${events} events arrived: ${JSON.stringify(counted)}`)
    await wait(50)
  }
}

async function fanoutRow({ server, load, token, emit }: Site): Promise<Row> {
  await using bare: ServerChild = await startChild('push/bare-streams-program.ts', {}, serverCore)
  await load.ask({ open: 'ours', port: server.ready.port, streams: fanoutStreams, token })
  await load.ask({ open: 'bare', port: bare.ready.port, streams: fanoutStreams, token })
  await emit(fanoutBatch)
  const first = await untilDelivered(load, 'ours', fanoutBatch * fanoutStreams)
  const bytesOfEvent = Math.floor(first.bytes / first.events)
  const entry = `id: x\ndata: ${'x'.repeat(bytesOfEvent - 'id: x\ndata: \n\n'.length)}\n\n`
  const sides = {
    ours: { pid: server.pid, batch: () => emit(fanoutBatch) },
    bare: { pid: bare.pid, batch: () => bare.ask({ write: entry.repeat(fanoutBatch) }) },
  }
  const costs: Record<keyof typeof sides, number[]> = { ours: [], bare: [] }
  const delivered = { ours: first.events, bare: 0 }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)
    for (const which of order) {
      const { pid, batch } = sides[which]
      const before = processorMilliseconds(pid) ?? 0
      await paced(roundBatches, batch)
      delivered[which] += roundBatches * fanoutBatch * fanoutStreams
      await untilDelivered(load, which, delivered[which])
      const used = (processorMilliseconds(pid) ?? 0) - before
      costs[which].push((1000 * used) / (roundBatches * fanoutBatch * fanoutStreams))
    }
  }
  const [ours, against] = [median(costs.ours), median(costs.bare)]
  const ratio = median(costs.ours.map((cost, round) => (costs.bare[round] as number) / cost))
  return { name: 'stream_fanout', ours, against, ratio, goal: 0.5, met: ratio >= 0.5 }
}

async function lagRow({ server, load, token, emit, commits }: Site): Promise<Row> {
  await load.ask({ open: 'lag', port: server.ready.port, streams: lagStreams, token })
  await emit(lagBatch)
  await untilDelivered(load, 'lag', lagBatch * lagStreams)
  // Not in step with the poll of the server, because the work takes its time.
  await paced(150, async (turn) => {
    await wait((turn * 37) % batchMilliseconds)
    await emit(lagBatch)
  })
  await untilDelivered(load, 'lag', commits.length * lagStreams)
  const { p50, p99, max, measured } = (await load.ask({ lags: 'lag', commits })) as Lag
  console.error(
    `stream_lag: ${measured} deliveries, p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, max ${max.toFixed(0)} ms`,
  )
  return { name: 'stream_lag', ours: p99, against: 250, ratio: p99 / 250, goal: 1, met: p99 <= 250 }
}

async function idleRows({ server, load, token, emit }: Site): Promise<Row[]> {
  const memory = async () => ((await server.ask({})) as { rss: number }).rss
  await load.ask({ open: 'few', port: server.ready.port, streams: 200, token })
  await wait(2_000)
  const before = await memory()
  await load.ask({ open: 'idle', port: server.ready.port, streams: idleStreams, token })
  await wait(5_000)
  const kilobytes = ((await memory()) - before) / idleStreams / 1024
  const used_before = processorMilliseconds(server.pid) ?? 0
  const begun_at = performance.now()
  await wait(idleSeconds * 1000)
  const used = (processorMilliseconds(server.pid) ?? 0) - used_before
  const percent = (100 * used) / (performance.now() - begun_at)
  await emit(1)
  await untilDelivered(load, 'idle', idleStreams)
  return [
    { name: 'streams_idle_kb', ours: kilobytes, against: 20, ratio: kilobytes / 20, goal: 1, met: kilobytes <= 20 },
    { name: 'streams_idle_processor', ours: percent, against: 2, ratio: percent / 2, goal: 1, met: percent <= 2 },
  ]
}
