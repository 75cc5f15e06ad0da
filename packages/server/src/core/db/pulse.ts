/**
 * One small read that many requests share: the business clock, event counters and versions. It starts after the
 * last of its callers asked, so what it says includes every commit that was answered before.
 */
import { soon } from '../base/clock.ts'
import { type Db, statement } from './db.ts'

/** What a pulse says. */
export type PulseAnswer = {
  readonly now: number
  /** The account's last event position; 0 for an account without events. */
  position(account_id: string): number
  /** The value of a named version; 0 where nothing raised it yet. */
  version(name: string): number
}

/** Asks for the next pulse. */
export type Pulse = (wanted?: { account_id?: string; versions?: readonly string[] }) => Promise<PulseAnswer>

// One row of text, whatever is asked for: a row for each value would cost more than all else about it.
const readPulse = statement<{ now: number; positions: string | null; versions: string | null }>(
  'core.read_pulse',
  `select bourse_now() as now,
     (select string_agg(account_id || ' ' || position, ',') from event_counters
      where account_id = any($1)) as positions,
     (select string_agg(name || ' ' || value, ',') from versions where name = any($2)) as versions`,
)

const raiseVersion = statement<never>(
  'core.raise_version',
  'insert into versions (name, value) values ($1, 1) on conflict (name) do update set value = versions.value + 1',
)

type Wanted = { readonly accounts: Set<string>; readonly versions: Set<string>; asked: number }
type Batch = Wanted & { readonly answer: Promise<PulseAnswer> }

/** How often those who are still coming are waited for: each time is as long as looking at one or a few requests. */
const turnsMax = 12

/** Settles when what has come in by now has been looked at. */
function turn(): Promise<void> {
  return new Promise(soon)
}

/** Makes the pulse of one process over its shared read connection. */
export function createPulse(db: Db): Pulse {
  let gathering: Batch | undefined
  // Two may be under way: while the answers of one are written, the database need not wait for the next.
  let older: Promise<unknown> = Promise.resolve()
  let newer: Promise<unknown> = Promise.resolve()

  const start = (): Batch => {
    const wanted: Wanted = { accounts: new Set(), versions: new Set(), asked: 0 }
    // While two pulses are under way the next gathers; both ends settle, so a failed one stops nobody behind it.
    // It leaves once all requests that have come by then have been looked at, and nobody came meanwhile: a caller alone
    // waits for one empty turn, and with many a fifth of what the database does for a poll is saved.
    const gather = async () => {
      for (let turns = 0, before = -1; before < wanted.asked && turns < turnsMax; turns++) {
        before = wanted.asked
        await turn()
      }
      return await send(wanted)
    }
    const batch: Batch = Object.assign(wanted, { answer: older.then(gather, gather) })
    older = newer
    newer = batch.answer
    return batch
  }
  const send = async (wanted: Wanted): Promise<PulseAnswer> => {
    gathering = undefined
    const row = await db.row(readPulse, [[...wanted.accounts], [...wanted.versions]])
    if (!row) throw new Error('A pulse has one row.')
    const positions = valuesOf(row.positions)
    const versions = valuesOf(row.versions)
    return {
      now: row.now,
      position: (account_id) => positions.get(account_id) ?? 0,
      version: (name) => versions.get(name) ?? 0,
    }
  }
  return (wanted) => {
    gathering ??= start()
    gathering.asked++
    if (wanted?.account_id !== undefined) gathering.accounts.add(wanted.account_id)
    for (const name of wanted?.versions ?? []) gathering.versions.add(name)
    return gathering.answer
  }
}

/** Reads `name value,name value`; names hold neither a blank nor a comma. */
function valuesOf(text: string | null): Map<string, number> {
  const values = new Map<string, number>()
  if (text === null) return values
  for (const pair of text.split(',')) {
    const at = pair.indexOf(' ')
    values.set(pair.slice(0, at), Number(pair.slice(at + 1)))
  }
  return values
}

const raiseVersions = statement<never>('core.raise_versions', 'update versions set value = value + 1')

/** Says that everything has changed: whoever kept something under a version reads it again. */
export function bumpAllVersions(db: Db): Promise<number> {
  return db.run(raiseVersions)
}

/** Says that what a version stands for has changed; caches that were made before it are void. */
export function bumpVersion(db: Db, name: string): Promise<number> {
  return db.run(raiseVersion, [name])
}
