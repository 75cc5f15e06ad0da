/**
 * The kill loop: clients work, random processes are killed, and after each kill the acknowledged effects are read back.
 * At the end every call has a response, exactly the acknowledged effects exist, and no audit finds anything.
 */
import assert from 'node:assert/strict'
import { pause } from '@bourse/text/time/pause.ts'
import { eventually } from '../../../../../test/eventually.ts'
import { createSeededRandom, pick, type Random } from '../../../src/core/base/random.ts'
import { examine } from '../../../src/start/doctor.ts'
import { makeCapacity } from '../../support/fixtures/capacity.ts'
import { makeMarket } from '../../support/fixtures/market.ts'
import { connectTo, type TestServer } from '../../support/server.ts'
import {
  type ClientFixtures,
  type KillClient,
  keepDeployments,
  keepFirewalls,
  keepReplacing,
  readBack,
  trade,
} from './clients.ts'
import { type CallEntry, type Journal, openJournal } from './journal.ts'
import { type KilledServer, type KillMoment, type ServerKill, startKilledServer, type Victim } from './killed-server.ts'
import { finish, type ListReader, openReader, poll } from './readers.ts'

/** The options of the loop. */
export type KillOptions = {
  readonly rounds: number
  readonly seed: string
  /** PostgreSQL settings that replace those of production, for a loop that must fail. */
  readonly settings?: Record<string, string>
  /** The processes to kill. The default is all. First each in turn, then any. */
  readonly victims?: readonly Victim[]
  /** Ends at the first failure. */
  readonly until_wrong?: boolean
  /** How many rounds may follow until an unanswered call has taken effect. The default is none. */
  readonly more_rounds?: number
}

export type KillReport = {
  readonly kills: readonly ServerKill[]
  readonly entries: number
  /** The number of unanswered calls; `found` of them had taken effect. */
  readonly unanswered: number
  readonly found: number
  readonly events: number
  readonly failures: readonly string[]
  /** The kills after which the server was ready again too late. */
  readonly late: readonly string[]
}

/** A recovery that takes longer is late. */
const recoveryMillisecondsMax = 10_000
const everybody: readonly Victim[] = [
  'server',
  'postgres',
  'backend',
  'postgres with its children',
  'backend',
  'postgres with its children',
]
const acknowledgedMin = 5
/** One kill of so many happens at any moment, and the others during a COMMIT. */
const anyMomentEvery = 3

type ClientGate = { isClosed: boolean; opened: Promise<void>; open(): void; parked: number }

function goesOn(
  { rounds, until_wrong = false, more_rounds = 0 }: KillOptions,
  journal: Journal,
  round: number,
): boolean {
  if (until_wrong && journal.failures.length > 0) return false
  return round < rounds || (journal.found === 0 && round < rounds + more_rounds)
}

/** Runs the loop. */
export async function runKills(order: KillOptions): Promise<KillReport> {
  await using killed = await startKilledServer(order.settings)
  const server = connectTo(killed.ready)
  const journal = openJournal()
  const gate: ClientGate = { isClosed: false, opened: Promise.resolve(), open: () => {}, parked: 0 }
  const kills: ServerKill[] = []
  let isOver = false
  let isBroken = false
  const random = createSeededRandom(order.seed)
  const pass = async () => {
    if (gate.isClosed) await park(gate)
    if (isBroken) throw new Error('The loop was aborted.')
  }
  const fixtures: ClientFixtures = { ...(await layGround(server, journal, random)), pass, isOver: () => isOver }
  await killed.checkpoint()
  const tokens = [fixtures.account.token, ...fixtures.parties.map(({ party }) => party.token)]
  const readers = tokens.map(openReader)
  const clients: KillClient[] = [keepFirewalls, keepFirewalls, keepDeployments, keepReplacing, keepReplacing]
  const workers = [
    ...[...clients, ...fixtures.parties.map((_, index) => trade(index))].map((client) => client(fixtures)),
    ...readers.map((reader) => poll(reader, fixtures)),
  ]
  try {
    for (let round = 0; goesOn(order, journal, round); round++) {
      const victim = pickVictim(order, random, round)
      const moment = round % anyMomentEvery === anyMomentEvery - 1 ? 'any' : 'commit'
      kills.push(await runRound({ killed, fixtures, gate, workers: workers.length, victim, moment }))
    }
  } catch (error) {
    isBroken = true
    throw error
  } finally {
    isOver = true
    gate.open()
    await Promise.allSettled(workers)
  }
  await Promise.all(workers)
  // If much is lost, the accounts of the clients may also be lost.
  if (order.until_wrong && journal.failures.length > 0) return reportOf(journal, kills, readers)
  await settleAccounts(fixtures, readers)
  if (!order.settings) journal.failures.push(...(await audit(killed)))
  return reportOf(journal, kills, readers)
}

function pickVictim({ victims = everybody }: KillOptions, random: Random, round: number): Victim {
  return victims[round] ?? pick(random, victims)
}

type Round = {
  readonly killed: KilledServer
  readonly fixtures: ClientFixtures
  readonly gate: ClientGate
  readonly workers: number
  readonly victim: Victim
  readonly moment: KillMoment
}

async function runRound({ killed, fixtures, gate, workers, victim, moment }: Round): Promise<ServerKill> {
  const { journal, random } = fixtures
  const acknowledged = () => journal.entries.filter(({ success }) => success?.after_kills === journal.kills)
  await pause(50 + random.integer(200))
  await eventually(`${acknowledgedMin} calls are acknowledged since the last kill`, () => {
    assert.ok(acknowledged().length >= acknowledgedMin, `${acknowledged().length} are`)
    return true
  })
  const kill = await killed.kill(victim, moment, () => close(gate))
  await eventually('every client has its answer and waits', () => {
    assert.equal(gate.parked, workers)
    return true
  })
  await readBack(fixtures, acknowledged())
  journal.kills += 1
  gate.open()
  return kill
}

function close(gate: ClientGate): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate.isClosed = true
  gate.parked = 0
  gate.opened = promise
  gate.open = () => {
    gate.isClosed = false
    resolve()
  }
}

function park(gate: ClientGate): Promise<void> {
  gate.parked += 1
  return gate.opened
}

async function layGround(
  server: TestServer,
  journal: Journal,
  random: Random,
): Promise<Omit<ClientFixtures, 'pass' | 'isOver'>> {
  const account = await server.account({ trust_level: 'partner' })
  const capacity = await makeCapacity(server, account, { hosts: 2, slots: 8 })
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(40), await market.buyer('1000000.000000')]
  const parties: ClientFixtures['parties'] = [
    { party: seller, side: 'sell' },
    { party: buyer, side: 'buy' },
  ]
  return { server, journal, random, account, capacity, market, parties }
}

/** Checks that exactly the acknowledged effects exist, and that each reader has read the whole log once. */
async function settleAccounts(fixtures: ClientFixtures, readers: readonly ListReader[]): Promise<void> {
  const { server, journal, account, parties } = fixtures
  const made = (pattern: RegExp, token: string) =>
    journal.entries.filter((entry) => entry.method === 'POST' && entry.token === token && pattern.test(entry.path))
  await readBack(
    fixtures,
    journal.entries.filter(({ success }) => success),
  )
  const removed = new Set(journal.entries.flatMap(({ method, path }) => (method === 'DELETE' ? [path] : [])))
  const listed = async (path: string, token: string, entries: readonly CallEntry[]) => {
    const ids = new Set(entries.map(({ success }) => success?.body.id))
    const there = await listAll(server, path, token)
    for (const id of there) if (!ids.has(id)) journal.failures.push(`duplicated: no response contained ${path}/${id}`)
    const left = [...ids].filter((id) => !removed.has(`${path}/${id}`))
    for (const id of left) if (!there.has(id)) journal.failures.push(`lost: ${path}/${id} is not listed`)
  }
  const firewalls = '/preview/v2/firewalls'
  const own = await server.call('list_firewalls', { query: { limit: 200 }, token: account.token })
  const standard = own.data.filter(({ name }) => !name.startsWith('firewall-'))
  const known = standard.map(({ id }) => ({ success: { body: { id } } }) as CallEntry)
  await listed(firewalls, account.token, [...made(/firewalls$/, account.token), ...known])
  await listed('/preview/v2/deployments', account.token, made(/deployments$/, account.token))
  for (const { party } of parties) await listed('/v2/orders', party.token, made(/orders$/, party.token))
  for (const reader of readers) journal.failures.push(...(await finish(reader, server)))
}

async function listAll(server: TestServer, path: string, token: string): Promise<Set<string>> {
  const ids = new Set<string>()
  let after = ''
  for (;;) {
    const page = await server.ok('GET', `${path}?limit=200${after}`, { token })
    for (const { id } of page.data) ids.add(id)
    if (!page.has_more) return ids
    after = `&starting_after=${page.cursor}`
  }
}

/** The findings of `bourse doctor`. */
async function audit({ data_directory }: KilledServer): Promise<string[]> {
  const checks = await examine({ BOURSE_DATA_DIR: data_directory }, () => {})
  const violations = checks.filter(({ status }) => status !== 'ok')
  return violations.map(({ name, message, rows }) => `doctor: ${name}: ${message} ${JSON.stringify(rows)}`)
}

function reportOf(
  { entries, found, failures }: Journal,
  kills: readonly ServerKill[],
  readers: readonly ListReader[],
): KillReport {
  const unanswered = entries.reduce((sum, entry) => sum + entry.unanswered, 0)
  const events = readers.reduce((sum, { ids }) => sum + ids.length, 0)
  const late = kills
    .filter((kill) => kill.recovery_milliseconds > recoveryMillisecondsMax)
    .map((kill) => `ready again after ${kill.recovery_milliseconds | 0} ms, ${kill.victim} killed`)
  return { kills, entries: entries.length, unanswered, found, events, failures, late }
}

/** A summary of a report. */
export function describeKills({ kills, entries, unanswered, found, events, failures }: KillReport): string {
  const atCommit = kills.filter(({ isAtCommit }) => isAtCommit).length
  const slowest = Math.max(...kills.map(({ recovery_milliseconds }) => recovery_milliseconds))
  const calls = `${entries} calls, ${unanswered} unanswered, ${found} of them had taken effect, ${events} events read`
  const counted = `${kills.length} kills, ${atCommit} during a COMMIT, slowest recovery ${slowest | 0} ms`
  return `${counted}; ${calls}; ${failures.length} wrong`
}
