/**
 * The kill loop: clients at work, kills at random, and after each what was acknowledged is read back. In the end every
 * call has its answer, there is exactly what the answers say, and the auditor finds nothing.
 */
import { pause } from '../../../src/core/base/clock.ts'
import { createSeededRandom, pick, type Random } from '../../../src/core/base/random.ts'
import { examine } from '../../../src/doctor.ts'
import { makeCapacity } from '../../support/capacity.ts'
import { makeMarket } from '../../support/market.ts'
import { connectTo, type TestServer } from '../../support/server.ts'
import { type Client, type Ground, keepDeployments, keepFirewalls, keepReplacing, readBack, trade } from './clients.ts'
import { type Deed, type Journal, openJournal } from './journal.ts'
import { type Kill, type Patient, recoveryMillisecondsMax, startPatient, type Victim } from './patient.ts'
import { finish, openReader, poll, type Reader } from './readers.ts'

/** How the loop is run. */
export type KillOrder = {
  readonly rounds: number
  readonly seed: string
  /** Settings of PostgreSQL over those of production, for a loop that has to fail. */
  readonly settings?: Record<string, string>
  /** Who may be killed; all in turn when nothing is said. */
  readonly victims?: readonly Victim[]
  /** Ends at the first thing that is wrong. */
  readonly until_wrong?: boolean
}

export type KillReport = {
  readonly kills: readonly Kill[]
  readonly deeds: number
  /** Calls that went unanswered, and how many of those had taken effect all the same. */
  readonly unanswered: number
  readonly found: number
  readonly events: number
  readonly failures: readonly string[]
}

const everybody: readonly Victim[] = [
  'server',
  'postgres',
  'backend',
  'postgres with its children',
  'backend',
  'postgres with its children',
]
const acknowledgedMin = 5
const workMillisecondsMax = 5_000

type Gate = { isClosed: boolean; opened: Promise<void>; open(): void; parked: number }

/** Runs the loop. */
export async function runKills(order: KillOrder): Promise<KillReport> {
  await using patient = await startPatient(order.settings)
  const server = connectTo(patient.ready)
  const journal = openJournal()
  const gate: Gate = { isClosed: false, opened: Promise.resolve(), open: () => {}, parked: 0 }
  const kills: Kill[] = []
  let isOver = false
  let isBroken = false
  const random = createSeededRandom(order.seed)
  const pass = async () => {
    if (gate.isClosed) await park(gate)
    if (isBroken) throw new Error('The loop has broken off.')
  }
  const ground: Ground = { ...(await layGround(server, journal, random)), pass, isOver: () => isOver }
  await patient.checkpoint()
  const tokens = [ground.account.token, ...ground.parties.map(({ party }) => party.token)]
  const readers = tokens.map(openReader)
  const clients: Client[] = [keepFirewalls, keepFirewalls, keepDeployments, keepReplacing, keepReplacing]
  const lanes = [
    ...[...clients, ...ground.parties.map((_, index) => trade(index))].map((client) => client(ground)),
    ...readers.map((reader) => poll(reader, ground)),
  ]
  try {
    for (let round = 0; round < order.rounds && !(order.until_wrong && journal.failures.length > 0); round++) {
      const victim = pickVictim(order, random, round)
      kills.push(await runRound({ patient, ground, gate, lanes: lanes.length, victim }))
    }
  } catch (error) {
    isBroken = true
    throw error
  } finally {
    isOver = true
    gate.open()
    await Promise.allSettled(lanes)
  }
  await Promise.all(lanes)
  // Where much is lost, nobody may be left who could ask.
  if (order.until_wrong && journal.failures.length > 0) return reportOf(journal, kills, readers)
  await settleAccounts(ground, readers)
  if (!order.settings) journal.failures.push(...(await audit(patient)))
  return reportOf(journal, kills, readers)
}

function pickVictim({ victims = everybody }: KillOrder, random: Random, round: number): Victim {
  // Everybody comes by in each turn, and nobody at a place of his own.
  return round % victims.length === 0 ? (victims[0] as Victim) : pick(random, victims)
}

type Round = { patient: Patient; ground: Ground; gate: Gate; lanes: number; victim: Victim }

async function runRound({ patient, ground, gate, lanes, victim }: Round): Promise<Kill> {
  const { journal, random } = ground
  const acknowledged = () => journal.deeds.filter(({ success }) => success?.after_kills === journal.kills)
  const end = performance.now() + workMillisecondsMax
  await pause(50 + random.integer(200))
  while (acknowledged().length < acknowledgedMin && performance.now() < end) await pause(10)
  const kill = await patient.kill(victim, () => close(gate))
  if (kill.recovery_milliseconds > recoveryMillisecondsMax) {
    journal.failures.push(`ready again after ${kill.recovery_milliseconds | 0} ms, ${victim} killed`)
  }
  while (gate.parked < lanes) await pause(5)
  await readBack(ground, acknowledged())
  journal.kills += 1
  gate.open()
  return kill
}

function close(gate: Gate): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate.isClosed = true
  gate.parked = 0
  gate.opened = promise
  gate.open = () => {
    gate.isClosed = false
    resolve()
  }
}

function park(gate: Gate): Promise<void> {
  gate.parked += 1
  return gate.opened
}

async function layGround(
  server: TestServer,
  journal: Journal,
  random: Random,
): Promise<Omit<Ground, 'pass' | 'isOver'>> {
  const account = await server.account({ trust_level: 'partner' })
  const capacity = await makeCapacity(server, account, { hosts: 2, slots: 8 })
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(40), await market.buyer('1000000.000000')]
  const parties: Ground['parties'] = [
    { party: seller, side: 'sell' },
    { party: buyer, side: 'buy' },
  ]
  return { server, journal, random, account, capacity, market, parties }
}

/** There is what was answered, and nothing else; each reader has seen the whole log once. */
async function settleAccounts(ground: Ground, readers: readonly Reader[]): Promise<void> {
  const { server, journal, account, parties } = ground
  const made = (pattern: RegExp, token: string) =>
    journal.deeds.filter((deed) => deed.method === 'POST' && deed.token === token && pattern.test(deed.path))
  await readBack(
    ground,
    journal.deeds.filter(({ success }) => success),
  )
  const removed = new Set(journal.deeds.flatMap(({ method, path }) => (method === 'DELETE' ? [path] : [])))
  const listed = async (path: string, token: string, deeds: readonly Deed[]) => {
    const ids = new Set(deeds.map(({ success }) => success?.body.id))
    const there = await listAll(server, path, token)
    for (const id of there) if (!ids.has(id)) journal.failures.push(`doubled: nobody was told of ${path}/${id}`)
    const left = [...ids].filter((id) => !removed.has(`${path}/${id}`))
    for (const id of left) if (!there.has(id)) journal.failures.push(`lost: ${path}/${id} is not listed`)
  }
  const firewalls = '/preview/v2/firewalls'
  const own = await server.ok('GET', `${firewalls}?limit=200`, { token: account.token })
  const standard = own.data.filter(({ name }: { name: string }) => !name.startsWith('firewall-'))
  const known = standard.map(({ id }: { id: string }) => ({ success: { body: { id } } }) as Deed)
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

/** What `bourse doctor` finds. */
async function audit({ data_directory }: Patient): Promise<string[]> {
  const checks = await examine({ BOURSE_DATA_DIR: data_directory }, () => {})
  const violations = checks.filter(({ status }) => status !== 'ok')
  return violations.map(({ name, message, rows }) => `doctor: ${name}: ${message} ${JSON.stringify(rows)}`)
}

function reportOf({ deeds, found, failures }: Journal, kills: readonly Kill[], readers: readonly Reader[]): KillReport {
  const unanswered = deeds.reduce((sum, deed) => sum + deed.unanswered, 0)
  const events = readers.reduce((sum, { ids }) => sum + ids.length, 0)
  return { kills, deeds: deeds.length, unanswered, found, events, failures }
}

/** A report in a few words. */
export function describeKills({ kills, deeds, unanswered, found, events, failures }: KillReport): string {
  const atCommit = kills.filter(({ isAtCommit }) => isAtCommit).length
  const slowest = Math.max(...kills.map(({ recovery_milliseconds }) => recovery_milliseconds))
  const calls = `${deeds} calls, ${unanswered} unanswered, ${found} of those found done, ${events} events read`
  const counted = `${kills.length} kills, ${atCommit} at a COMMIT, back in ${slowest | 0} ms at worst`
  return `${counted}; ${calls}; ${failures.length} wrong`
}
