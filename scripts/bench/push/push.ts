// Measures event streams: the processor time of a delivery against a bare `node:http` server that writes the same bytes
// to as many connections, the delay behind the commit, and the cost of streams that wait.

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { systemCommand } from '../../../packages/server/src/core/work/command.ts'
import type { Runtime } from '../../../packages/server/src/core/work/runtime.ts'
import type { Server } from '../../../packages/server/src/server.ts'
import { call } from '../../../packages/server/test/support/big-fleet.ts'
import { eventually } from '../../../test/eventually.ts'
import { bench } from '../bench.ts'
import { type Child, loadCore, type ServerChild, serverCore, startChild } from '../child.ts'
import { processorMilliseconds, processorTick } from '../processor-time.ts'
import { atMost, type BenchRow, median, rowOf } from '../row.ts'
import { makeBenchAccount, makeOperator } from '../worlds/accounts.ts'
import { makePlace } from '../worlds/event-world.ts'

type Counted = { readonly events: number; readonly bytes: number; readonly closed: number }
type Lag = { readonly measured: number; readonly p50: number; readonly p99: number; readonly max: number }
type PushLoad = Child<unknown, unknown>

const account_id = 'bench'
/** One batch every tenth of a second, as often as the server polls. */
const batchMilliseconds = 100
const fanoutBatch = 10
/** The pause between two comments to a stream that waits. */
const commentMilliseconds = 15_000
const lagBatch = 50

type FanoutSize = { readonly streams: number; readonly rounds: number; readonly batches: number }
type LagSize = { readonly streams: number; readonly batches: number }
type IdleSize = {
  readonly few: number
  readonly streams: number
  readonly settle_milliseconds: number
  readonly idle_milliseconds: number
}

/** The processor time of a delivery. */
export const fanoutBench = bench<FanoutSize>({
  rows: ['stream_fanout'],
  sizes: { usual: { streams: 1_000, rounds: 8, batches: 20 }, tiny: { streams: 20, rounds: 1, batches: 2 } },
  measure: async function* (size) {
    yield await onPlace((site) => fanoutRow(site, size))
  },
})

/** The delay of a delivery. */
export const lagBench = bench<LagSize>({
  rows: ['stream_lag'],
  sizes: { usual: { streams: 200, batches: 150 }, tiny: { streams: 5, batches: 2 } },
  measure: async function* (size) {
    yield await onPlace((site) => lagRow(site, size))
  },
})

/** The cost of streams that wait. */
export const idleBench = bench<IdleSize>({
  rows: ['streams_idle_kb', 'streams_idle_processor'],
  sizes: {
    usual: { few: 200, streams: 10_000, settle_milliseconds: 5_000, idle_milliseconds: 30_000 },
    tiny: { few: 2, streams: 20, settle_milliseconds: 50, idle_milliseconds: 100 },
  },
  measure: async function* (size) {
    yield* await onPlace((site) => idleRows(site, size))
  },
})

type PushSite = {
  readonly server: ServerChild
  readonly load: PushLoad
  readonly token: string
  /** Commits events of the account in one transaction; their targets are numbered. */
  readonly emit: (count: number) => Promise<void>
  /** When each numbered event was committed, in milliseconds since 1970. */
  readonly commits: number[]
}

async function onPlace<T>(measure: (site: PushSite) => Promise<T>): Promise<T> {
  await using place = await makePlace()
  // The writer is this process: a server of its own, like another replica.
  return await place.prepare(async (writer) => {
    const token = await makeReader(writer)
    await using server = await place.serve()
    await using load: PushLoad = await startChild('push/streams-program.ts', {}, loadCore)
    const commits: number[] = []
    const emit = (count: number) => emitNumbered(writer.runtime, count, commits)
    return await measure({ server, load, token, emit, commits })
  })
}

async function makeReader({ runtime, url }: Server): Promise<string> {
  const operator = await makeOperator(runtime)
  const { token } = await makeBenchAccount(runtime, account_id)
  const path = `/preview/v2/admin/accounts/${account_id}/limits/event_streams`
  await call({ url, token: operator.token }, 'PUT', path, { value: null })
  return token
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
  const begunAt = performance.now()
  const running: Promise<unknown>[] = []
  for (let turn = 0; turn < turns; turn++) {
    await wait(Math.max(0, begunAt + turn * batchMilliseconds - performance.now()))
    running.push(work(turn))
  }
  await Promise.all(running)
}

async function untilDelivered(load: PushLoad, name: string, events: number): Promise<Counted> {
  const ask = async () => {
    const counted = (await load.ask({ count: name })) as Counted
    assert.ok(counted.events >= events, JSON.stringify(counted))
    return counted
  }
  return await eventually(`${events} events arrive`, ask, { usual_seconds: 6, every_milliseconds: 50 })
}

async function fanoutRow(
  { server, load, token, emit }: PushSite,
  { streams, rounds, batches }: FanoutSize,
): Promise<BenchRow> {
  await using bare: ServerChild = await startChild('push/bare-streams-program.ts', {}, serverCore)
  await load.ask({ open: 'ours', port: server.ready.port, streams, token })
  await load.ask({ open: 'bare', port: bare.ready.port, streams, token })
  await emit(fanoutBatch)
  const first = await untilDelivered(load, 'ours', fanoutBatch * streams)
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
      await paced(batches, batch)
      delivered[which] += batches * fanoutBatch * streams
      await untilDelivered(load, which, delivered[which])
      const used = Math.max(processorTick, (processorMilliseconds(pid) ?? 0) - before)
      costs[which].push((1000 * used) / (batches * fanoutBatch * streams))
    }
  }
  const [ours, against] = [median(costs.ours), median(costs.bare)]
  const ratios = costs.ours.map((cost, round) => (costs.bare[round] as number) / cost)
  return rowOf({ name: 'stream_fanout', ours, against, better: 'more', goal: 0.5, rounds: ratios })
}

async function lagRow(
  { server, load, token, emit, commits }: PushSite,
  { streams, batches }: LagSize,
): Promise<BenchRow> {
  await load.ask({ open: 'lag', port: server.ready.port, streams, token })
  await emit(lagBatch)
  await untilDelivered(load, 'lag', lagBatch * streams)
  // Not in step with the poll of the server, because the work takes its time.
  await paced(batches, async (turn) => {
    await wait((turn * 37) % batchMilliseconds)
    await emit(lagBatch)
  })
  await untilDelivered(load, 'lag', commits.length * streams)
  const { p50, p99, max, measured } = (await load.ask({ lags: 'lag', commits })) as Lag
  console.error(
    `stream_lag: ${measured} deliveries, p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, max ${max.toFixed(0)} ms`,
  )
  return atMost('stream_lag', p99, 250)
}

/** Streams that wait, against open responses of a bare server to which as many comments are written. */
async function idleRows({ server, load, token, emit }: PushSite, size: IdleSize): Promise<BenchRow[]> {
  await using bare: ServerChild = await startChild('push/bare-streams-program.ts', {}, serverCore)
  const opens =
    (name: string, { ready: { port } }: ServerChild) =>
    (streams: number) =>
      load.ask({ open: name, port, streams, token })
  const ours = await idleCost(server, opens('idle', server), size)
  const against = await idleCost(bare, opens('bare idle', bare), {
    ...size,
    comment: () => bare.ask({ write: ': keep-alive\n\n' }),
  })
  await emit(1)
  await untilDelivered(load, 'idle', size.few + size.streams)
  const row = (name: string, figure: keyof IdleCost, goal: number) =>
    rowOf({ name, ours: ours[figure], against: against[figure], better: 'less', goal })
  return [row('streams_idle_kb', 'kilobytes', 1.2), row('streams_idle_processor', 'percent', 2)]
}

/** The memory of a stream, and the processor time of all of them in percent of the time, while nothing happens. */
type IdleCost = { readonly kilobytes: number; readonly percent: number }

async function idleCost(
  server: ServerChild,
  open: (streams: number) => Promise<unknown>,
  { few, streams, settle_milliseconds, idle_milliseconds, comment }: IdleSize & { comment?(): Promise<unknown> },
): Promise<IdleCost> {
  await open(few)
  await wait(settle_milliseconds)
  const { rss: before } = await server.ask({})
  await open(streams)
  await wait(settle_milliseconds)
  const kilobytes = ((await server.ask({})).rss - before) / streams / 1024
  const usedBefore = processorMilliseconds(server.pid) ?? 0
  const begunAt = performance.now()
  // As often as the server, at least once.
  const comments = Math.max(1, Math.round(idle_milliseconds / commentMilliseconds))
  for (let n = 0; n < comments; n++) {
    await wait(idle_milliseconds / comments)
    await comment?.()
  }
  const used = Math.max(processorTick, (processorMilliseconds(server.pid) ?? 0) - usedBefore)
  return { kilobytes, percent: (100 * used) / (performance.now() - begunAt) }
}
