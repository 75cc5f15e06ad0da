/**
 * A world for tests of instances: simulated hosts, pools with a known allocation per minute, and a frozen clock that
 * the test advances. Reconcilers run only during an advance, so that every step of a test ends without due work.
 */
import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { app } from '../../src/app.ts'
import type { ServerOptions } from '../../src/assembly/server-options.ts'
import { type Statement, statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { lockCapacity, moveAllocation } from '../../src/market/pools/capacity.service.ts'
import { lockPools } from '../../src/market/pools/pools.service.ts'
import { openEnd, rectangle } from '../../src/market/schedule/schedule.rules.ts'
import {
  addMachineFault,
  type NewMachineFault,
  removeMachineFault,
} from '../../src/sandbox/hosts/machine-faults.service.ts'
import type { Server } from '../../src/server.ts'
import { makeImage, makeSku } from '../support/fixtures/fleet.ts'
import { startTestServer, type TestAccount, type TestServer } from '../support/server.ts'

/** An event of an instance, and its time in seconds since the beginning of the world. */
export type TimedAction = [action: string, at: number]

/** The actions of a fleet test. Times are seconds since the beginning of the world, which is a whole minute. */
export type FleetWorld = {
  readonly server: TestServer
  readonly inside: Server
  readonly account: TestAccount
  readonly sku: Id<'sku'>
  /** Adds simulated hosts. Their slots are supply from the next minute on. */
  addHosts(count: number, slots?: number): Promise<Id<'host'>[]>
  /** Creates a pool that owns these node counts from these times on, which are future whole minutes. */
  makePool(counts: readonly (readonly [at: number, nodes: number])[]): Promise<Id<'pool'>>
  /** Removes nodes from a pool from a time on (default: at once) until another. A negative count adds nodes. */
  takeNodes(pool: Id<'pool'>, nodes: number, range?: { from?: number; until?: number }): Promise<void>
  launch(pool: Id<'pool'>, fields?: Record<string, unknown>): Promise<Id<'instance'>>
  call(method: string, path: string, body?: unknown): Promise<any>
  /** Creates instances with these fields, one per second. */
  launchAll(pool: Id<'pool'>, fields: readonly Record<string, unknown>[]): Promise<Id<'instance'>[]>
  /** The states of instances, in their order. */
  states(...ids: string[]): Promise<string[]>
  /** The events of an instance. */
  history(id: string): Promise<TimedAction[]>
  actions(id: string): Promise<string[]>
  host(id: string): Promise<any>
  addFault(
    fault: Omit<NewMachineFault, 'id' | 'times' | 'ends_at'> & { times?: number; seconds?: number },
  ): Promise<Id<'sandbox_fault'>>
  removeFault(id: Id<'sandbox_fault'>): Promise<void>
  /** Advances the clock to a time. Work due on the way runs at its own time. Returns the number of steps. */
  goTo(at: number): Promise<number>
  /** Advances the clock by seconds. Returns the number of steps. */
  pass(seconds: number): Promise<number>
  /** Runs the work that is due now. Returns the number of steps. */
  settle(): Promise<number>
  now(): Promise<number>
  /** The findings of all audits. */
  findings(): Promise<unknown[]>
  rows<R>(text: string, params?: unknown[]): Promise<R[]>
}

const moveClock = statement<never>('test.move_clock', 'update sandbox_clock set business_anchor_ms = $1')

/** Creates a world with the clock at its beginning. */
export async function makeWorld(
  properties: Record<string, unknown> = {},
  options: Partial<ServerOptions> = {},
): Promise<FleetWorld> {
  const server = await startTestServer({ runs_reconcilers: false, ...options })
  const inside = server.inside as Server
  const { runtime, loop } = inside
  const { now: frozen } = await server.call('freeze_clock')
  const start = frozen - (frozen % 60) + 60
  const db = runtime.database.reader
  const goTo = async (at: number) => {
    await db.run(moveClock, [(start + at) * 1000])
    return loop.drain()
  }
  await goTo(0)
  const now = async () => (await server.call('get_clock')).now - start
  const account = await server.account()
  const sku = (await makeSku(server, properties)) as Id<'sku'>
  const base = { server, inside, account, sku, start, now, goTo }
  return {
    ...base,
    ...customer(base, (await makeImage(server, account)).id),
    ...provider(base),
    ...weather(inside),
    pass: async (seconds) => goTo((await now()) + seconds),
    settle: () => loop.drain(),
    findings: async () => (await runAudit(runtime.database, app.audits)).filter(({ rows }) => rows.length > 0),
    rows: (text, params) => db.rows(statement(null, text) as Statement<any>, params),
  }
}

type FleetBase = Pick<FleetWorld, 'server' | 'inside' | 'account' | 'sku' | 'now' | 'goTo'> & { readonly start: number }

/** The actions of the customer. */
function customer({ server, account, sku, start, now, goTo }: FleetBase, image: string) {
  const call: FleetWorld['call'] = (method, path, body) =>
    server.ok(method, path, { token: account.token, ...(body === undefined ? {} : { body }) })
  const launch: FleetWorld['launch'] = async (pool, fields = {}) =>
    (await call('POST', '/v2/instances', { pool, sku, image, ...fields })).id
  const launchAll: FleetWorld['launchAll'] = async (pool, all) => {
    const ids: Id<'instance'>[] = []
    for (const fields of all) {
      ids.push(await launch(pool, fields))
      await goTo((await now()) + 1)
    }
    return ids
  }
  const states: FleetWorld['states'] = (...ids) =>
    Promise.all(ids.map(async (id) => (await call('GET', `/v2/instances/${id}`)).state))
  const history: FleetWorld['history'] = async (id) => {
    const { data } = await call('GET', `/preview/v2/events?target=${id}&limit=200`)
    return data.map(({ action, occurred_at }: any) => [action.replace('instance.', ''), occurred_at - start])
  }
  const actions: FleetWorld['actions'] = async (id) => (await history(id)).map(([action]) => action)
  return { call, launch, launchAll, states, history, actions }
}

/** The actions of the platform: hosts, and the allocation of pools. */
function provider({ server, inside, account, sku, start }: FleetBase) {
  let supply: Id<'pool'> | undefined
  const addHosts: FleetWorld['addHosts'] = async (count, slots = 1) => {
    const { data } = await server.call('create_simulated_hosts', { body: { sku, count, slots } })
    supply = data[0].pool.id
    return data.map(({ id }) => id)
  }
  const makePool: FleetWorld['makePool'] = async (counts) => {
    const allocation_schedule = counts.map(([at, node_count], index) => {
      const next = counts[index + 1]?.[0]
      return { start_at: start + at, end_at: next === undefined ? null : start + next, node_count }
    })
    const body = {
      account: account.id,
      workspace: account.workspace_id,
      from_pool: supply as string,
      sku,
      allocation_schedule,
    }
    return (await server.call('create_read_only_pool', { body })).id
  }
  const takeNodes: FleetWorld['takeNodes'] = (poolId, nodes, { from, until } = {}) =>
    systemCommand(inside.runtime, async (ctx) => {
      const minute = Math.floor(from === undefined ? ctx.now / 60 : (start + from) / 60)
      const end = until === undefined ? openEnd : (start + until) / 60
      const [from_pool, toPool] = nodes > 0 ? [poolId, supply as Id<'pool'>] : [supply as Id<'pool'>, poolId]
      await lockCapacity(ctx, sku)
      await lockPools(ctx, [from_pool, toPool])
      const schedule = rectangle(minute, end, Math.abs(nodes))
      await moveAllocation(ctx, { from: from_pool, to: toPool, sku_id: sku, schedule, cause: 'grant', field: '' })
    })
  const host: FleetWorld['host'] = (id) => server.call('get_host', { params: { id } })
  return { addHosts, makePool, takeNodes, host }
}

/** Faults. */
function weather({ runtime }: Server) {
  const addFault: FleetWorld['addFault'] = ({ times = 1, seconds, ...fault }) =>
    systemCommand(runtime, async (ctx) => {
      const id = ctx.newId('sandbox_fault')
      await addMachineFault(ctx, { ...fault, id, times, ends_at: seconds === undefined ? null : ctx.now + seconds })
      return id
    })
  const removeFault: FleetWorld['removeFault'] = (id) =>
    systemCommand(runtime, async (ctx) => assert.ok(await removeMachineFault(ctx, id)))
  return { addFault, removeFault }
}
