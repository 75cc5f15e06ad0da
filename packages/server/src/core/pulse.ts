/**
 * One small read that many requests share: the business clock, event counters and versions. It starts after the
 * last of its callers asked, so what it says includes every commit that was answered before.
 */
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

const readPulse = statement<{ name: string; value: number }>(
  'core.read_pulse',
  `select 'now' as name, bourse_now() as value
   union all select 'account:' || account_id, position from event_counters where account_id = any($1)
   union all select 'version:' || name, value from versions where name = any($2)`,
)

const raiseVersion = statement<never>(
  'core.raise_version',
  'insert into versions (name, value) values ($1, 1) on conflict (name) do update set value = versions.value + 1',
)

type Batch = { accounts: Set<string>; versions: Set<string>; answer: Promise<PulseAnswer> }

/** Makes the pulse of one process over its shared read connection. */
export function createPulse(db: Db): Pulse {
  let gathering: Batch | undefined
  let underWay: Promise<unknown> = Promise.resolve()

  const start = (): Batch => {
    const batch: Batch = { accounts: new Set(), versions: new Set(), answer: undefined as never }
    // While one pulse is under way the next gathers; both ends settle, so a failed one does not stop its successor.
    batch.answer = underWay.then(
      () => send(batch),
      () => send(batch),
    )
    underWay = batch.answer
    return batch
  }
  const send = async (batch: Batch): Promise<PulseAnswer> => {
    gathering = undefined
    const rows = await db.rows(readPulse, [[...batch.accounts], [...batch.versions]])
    const values = new Map(rows.map((row) => [row.name, row.value]))
    return {
      now: values.get('now') as number,
      position: (account_id) => values.get(`account:${account_id}`) ?? 0,
      version: (name) => values.get(`version:${name}`) ?? 0,
    }
  }
  return (wanted) => {
    gathering ??= start()
    if (wanted?.account_id !== undefined) gathering.accounts.add(wanted.account_id)
    for (const name of wanted?.versions ?? []) gathering.versions.add(name)
    return gathering.answer
  }
}

/** Says that what a version stands for has changed; caches that were made before it are void. */
export function bumpVersion(db: Db, name: string): Promise<number> {
  return db.run(raiseVersion, [name])
}
