/** What is checked after a fault, once every call has an answer: data for the verdict. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { eventually } from '../../../../test/eventually.ts'
import { wallMilliseconds } from '../../src/core/base/clock.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { examine } from '../../src/start/doctor.ts'
import { idsOf } from '../restart/upgrade/load.ts'
import { connectTo, type TestServer } from '../support/server.ts'
import { type ChaosReader, sendPatiently } from './load.ts'
import { type ChaosAccount, resourcesOf, urlOf } from './setting.ts'
import { type Stage, startReference } from './stage.ts'
import { type Evidence, type Goals, judgeReader, type LoadedResource, lists, type ReaderRecord } from './verdict.ts'

type Checked = Pick<Evidence, 'present' | 'readers' | 'unpaired' | 'stale' | 'violations'>

const hourSeconds = 3_600
/** As many hours as the orders of the load are for. */
const hours = 22

/** Checks everything against the database. Clients have stopped. */
export async function checkAll(stage: Stage, { loses_commits }: Goals): Promise<Checked> {
  await using stack = new AsyncDisposableStack()
  const { setting, database, load } = stage
  const primary = await findPrimary(database.nodes)
  const { url } = await startReference(setting, primary, stack)
  const { accounts, platform_token } = database.world
  const reference = connectTo({ url, platform_token })
  const present: LoadedResource[] = []
  for (const account of accounts) present.push(...(await resourcesOf(reference, account)))
  const readers: ReaderRecord[] = []
  for (const reader of load.readers) readers.push(await readToTheEnd(stage, { reader, reference }))
  const unpaired: string[] = []
  for (const account of accounts) unpaired.push(...(await findUnpaired(reference, account, present)))
  const stale = [...(await findStale(stage, url)), ...(loses_commits ? await findLost(stage, present) : [])]
  return { present, readers, unpaired, stale, violations: await findViolations(stage, primary) }
}

/** The server of several that accepts writes. */
async function findPrimary(nodes: readonly DatabaseTarget[]): Promise<DatabaseTarget> {
  const find = async () => {
    for (const node of nodes) if (await isPrimary(node)) return node
    return undefined
  }
  return eventually('a database accepts writes', find)
}

async function isPrimary({ host, port, user, database }: DatabaseTarget): Promise<boolean> {
  const client = new pg.Client({ host, port, user, database })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    return rows[0]?.standby === false
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

type ReadingPlan = { readonly reader: ChaosReader; readonly reference: TestServer }

/** Lets a follower read on, and reads the whole log from the reference, until both agree or patience ends. */
async function readToTheEnd({ load, database }: Stage, { reader, reference }: ReadingPlan): Promise<ReaderRecord> {
  const { follower, ever } = reader
  const account = database.world.accounts.find(({ id }) => id === reader.account) as ChaosAccount
  let record: ReaderRecord | undefined
  const agrees = async () => {
    await follower.drain()
    for (const id of follower.received) ever.add(id)
    const log = [...(await idsOf(reference, '/preview/v2/events', account))]
    const { received, tally } = follower
    record = { account: account.id, ever: [...ever], received: [...received], log, gone: tally.gone }
    return judgeReader(record).length === 0
  }
  await eventually(`the reader of ${account.id} has the whole log`, agrees).catch((error: Error) => {
    if (record === undefined) throw error
  })
  if (record === undefined) throw new Error(`The log of ${account.id} was not read. ${load.wrong.join('\n')}`)
  return record
}

/** Orders that have not exactly one event of their creation, and such events of orders that do not exist. */
async function findUnpaired(
  server: TestServer,
  account: ChaosAccount,
  present: readonly LoadedResource[],
): Promise<readonly string[]> {
  const { token } = account
  const created = new Map<string, number>()
  let cursor: string | undefined
  for (;;) {
    const query = { limit: 200, action: 'order.created', ...(cursor ? { starting_after: cursor } : {}) } as const
    const page = await server.call('list_events', { query, token })
    for (const { id } of page.data.flatMap(({ targets }) => targets)) created.set(id, (created.get(id) ?? 0) + 1)
    cursor = page.cursor ?? cursor
    if (!page.has_more) break
  }
  const orders = new Set(
    present.flatMap((one) => (one.list === 'orders' && one.account === account.id ? [one.id] : [])),
  )
  const events = [...created].flatMap(([id, count]) => (count === 1 && orders.has(id) ? [] : [id]))
  return [...events, ...[...orders].filter((id) => !created.has(id))]
}

/** What a replica shows otherwise than one that has only just read the database. */
async function findStale({ replicas, database }: Stage, reference: string): Promise<string[]> {
  const { accounts } = database.world
  const firstHour = Math.ceil(wallMilliseconds() / 1000 / hourSeconds) * hourSeconds
  const questions: { path: string; token: string }[] = []
  const [first] = accounts as [ChaosAccount]
  for (const sku of new Set(accounts.map((account) => account.sku))) {
    for (let hour = 0; hour < hours; hour += 3) {
      const window = `start_at=${firstHour + hour * hourSeconds}&end_at=${firstHour + (hour + 1) * hourSeconds}`
      questions.push({ path: `/preview/v2/orderbook/depth?sku=${sku}&${window}`, token: first.token })
    }
  }
  for (const { token } of accounts) {
    questions.push({ path: `${lists.orders}?limit=20`, token }, { path: '/preview/v2/balance', token })
  }
  const stale: string[] = []
  for (const { path, token } of questions) {
    const right = await ask(reference, path, token)
    for (const { name, url } of replicas) {
      const shown = await ask(url, path, token)
      if (isDeepStrictEqual(shown, right)) continue
      // The server's own work may have come between the two answers.
      const agrees = async () => {
        assert.deepEqual(await ask(url, path, token), await ask(reference, path, token))
        return true
      }
      await eventually(`${name} shows what the database has`, agrees).catch((error: Error) => {
        stale.push(`${name}: ${path}: ${error.message}`)
      })
    }
  }
  return stale
}

/** Acknowledged resources that are lost, and that a replica shows all the same. */
async function findLost({ replicas, database, load }: Stage, present: readonly LoadedResource[]): Promise<string[]> {
  const there = new Set(present.map(({ id }) => id))
  const shown: string[] = []
  for (const { account, list, resource, outcome } of load.intents) {
    if (outcome !== 'acknowledged' || resource === undefined || there.has(resource)) continue
    const { token } = database.world.accounts.find(({ id }) => id === account) as ChaosAccount
    for (const { name, url } of replicas) {
      const { status } = await ask(url, `${lists[list]}/${resource}`, token)
      if (status !== 404) shown.push(`${name} answers ${status} for ${resource}, which the database does not have`)
    }
  }
  return shown
}

async function ask(url: string, path: string, token: string): Promise<{ status: number; body: unknown }> {
  const response = await sendPatiently(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, body: await response.json() }
}

/** The findings of `bourse doctor`. */
async function findViolations({ setting }: Stage, primary: DatabaseTarget): Promise<string[]> {
  const variables = {
    ...setting.variables,
    BOURSE_DATABASE_URL: urlOf([primary]),
    BOURSE_DATA_DIR: `${setting.directory}/data-reference`,
  }
  const checks = await examine(variables, () => {}, { is_now: true })
  const violations = checks.filter(({ status }) => status === 'violation' || status === 'skipped')
  return violations.map(({ name, message, rows }) => `doctor: ${name}: ${message} ${JSON.stringify(rows)}`)
}
