/** Checks of the whole database: the audits, and that it has exactly the acknowledged resources. */
import { eventActors } from '@bourse/api/events/event-actors.ts'
import { app } from '../../../src/app.ts'
import { type Database, statement } from '../../../src/core/db/db.ts'
import type { Audit, AuditFinding } from '../../../src/core/work/auditor.ts'
import type { Actor } from '../../../src/core/work/ctx.ts'
import type { SimReader } from '../context.ts'
import { type Inventory, isReadable, type Resource, type ResourceKind } from '../inventory.ts'

/** Prepared, since planning an audit costs more than running it. */
const audits: readonly Audit[] = app.audits.map((audit, index) => ({
  name: audit.name,
  statement: { ...audit.statement, name: `audit.${index}` },
}))

const weekSeconds = 604_800

/** A resource that the database holds. */
export type Held = { kind: ResourceKind; id: string; name: string | null; account_id: string; is_own: boolean }

const listHeld = statement<Held>(
  'sim.list_held',
  `select n.kind, n.id, n.name, n.account_id,
     i.deployment_id is not null or coalesce(f.is_default, false) or coalesce(p.kind = 'originating', false)
       or n.kind = 'host' or n.id in (select id from tokens where created_by_token_id is null) as is_own
   from names n left join instances i on i.id = n.id left join firewalls f on f.id = n.id
   left join pools p on p.id = n.id
   where n.deleted_at is null
   union all
   select 'grant', g.id, null, g.account_id, true from grants g
   union all
   select 'order', o.id, null, o.account_id, o.created_by_token_id is null from orders o
   union all
   select 'pool_transfer', t.id, null, t.account_id, false from pool_transfers t
   union all
   select 'budget', b.id, b.name, b.account_id, false from budgets b
   order by id`,
)

/** Row counts of the tables that commands write. */
export type RowCounts = Readonly<Record<string, number>>

const readCounts = statement<RowCounts>(
  'sim.read_counts',
  `select (select count(*) from names where deleted_at is null) as names, (select count(*) from grants) as grants,
     (select count(*) from idempotency_keys) as keys, (select sum(position)::bigint from event_counters) as events,
     (select count(*) from instances where state <> 'terminated') as instances,
     (select count(*) from orders) as orders, (select count(*) from fills) as fills,
     (select count(*) from budgets) as budgets,
     (select count(*) from pool_transfers) as transfers, (select coalesce(max(id), 0) from ledger) as ledger,
     (select coalesce(sum(version), 0)::bigint from books) as books,
     (select count(*) from books where halted) as halted, (select count(*) from market_halt) as halts`,
)

const listEvents = statement<{
  id: string
  action: string
  target_type: string
  target_id: string
  occurred_at: number
  position: number
}>(
  'sim.list_events',
  `select id, action, target_type, target_id, occurred_at, position
   from events where account_id = $1 order by position`,
)

const listActors = statement<{ action: string; actor: Actor['type'] }>(
  'sim.list_actors',
  `select distinct action, case when actor_token_id is null then 'system' else 'token' end as actor from events`,
)

/** The findings of all audits, one line each, and the actors that the reference of events does not name. */
export async function findViolations(database: Database): Promise<string[]> {
  const authors: Readonly<Record<string, readonly string[]>> = eventActors
  const seen = await database.reader.rows(listActors)
  const wrong = seen.filter(({ action, actor }) => !authors[action]?.includes(actor))
  return [
    ...(await findBy(database, audits)),
    ...wrong.map(({ action, actor }) => `${action} has the actor ${actor}, which event-actors.ts does not name`),
  ]
}

/** The findings of some audits, in turn from an index on. */
export function findSome(database: Database, { from, count }: { from: number; count: number }): Promise<string[]> {
  return findBy(
    database,
    Array.from({ length: count }, (_, n) => audits[(from + n) % audits.length] as Audit),
  )
}

/** Nothing else runs, so no snapshot is needed. One connection runs all, so that each is planned once. */
async function findBy({ reader }: Database, chosen: readonly Audit[]): Promise<string[]> {
  const lines: string[] = []
  for (const { name, statement } of chosen) lines.push(...lineOf({ name, rows: await reader.rows(statement) }))
  return lines
}

function lineOf({ name, rows }: AuditFinding): string[] {
  // Sums of money are bigints, which JSON does not support.
  const text = JSON.stringify(rows, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
  return rows.length === 0 ? [] : [`${name}: ${text}`]
}

/** Row counts that any effect of a command changes. */
export async function countRows(database: Database): Promise<RowCounts> {
  return (await database.reader.row(readCounts)) as RowCounts
}

/** Resources that were never acknowledged, and acknowledged ones that are missing. */
export async function compareInventory(
  database: Database,
  inventory: Inventory,
  now: number,
): Promise<{ unknown: Held[]; lost: Resource[]; violations: string[] }> {
  const held = new Map((await database.reader.rows(listHeld)).map((row) => [row.id, row]))
  const violations: string[] = []
  const unknown = [...held.values()].filter(({ id }) => !inventory.resources.get(id)?.isAlive)
  const lost = [...inventory.resources.values()].filter((resource) => {
    if (!resource.isAlive || resource.kind === 'sku' || !isReadable(resource.kind)) return false
    const row = held.get(resource.id)
    if (row && row.name !== resource.name)
      violations.push(`${resource.id} is called ${row.name}, acknowledged was ${resource.name}`)
    return row === undefined
  })
  const isPurged = ({ kind, born_at }: Resource) => kind === 'instance' && born_at + weekSeconds <= now
  return { unknown, lost: lost.filter((resource) => !isPurged(resource)), violations }
}

/** The events of an account that fit, in order. */
export async function readLog(database: Database, { actor, fits, from }: Pick<SimReader, 'actor' | 'fits' | 'from'>) {
  const log = await database.reader.rows(listEvents, [actor.id])
  return log.filter((event) => fits(event) && event.occurred_at >= from)
}

/** Verifies that a reader saw every event once and in order. */
export async function verifyReader(database: Database, reader: SimReader): Promise<string | undefined> {
  if (reader.seen.length === 0) return undefined
  const expected = (await readLog(database, reader)).slice(0, reader.seen.length).map(({ id }) => id)
  const at = reader.seen.findIndex((id, index) => id !== expected[index])
  if (at < 0) return undefined
  return `events.reliable: a reader of ${reader.actor.id} read ${reader.seen[at]} at index ${at}, not ${expected[at]}`
}
