import type { SlotHardware } from '@bourse/api/fleet/fit-slots.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx, Referrer } from '../../core/work/ctx.ts'
import { defineLock } from '../../core/work/locks.ts'
import { type ListFilters, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import type { HostRow } from './hosts.rules.ts'

/** A new host, with what each of its slots gets of its hardware. */
export type NewHostRow = HostRow & { readonly slot_hardware: readonly SlotHardware[] | null }

const columns = `h.id, h.account_id, h.workspace_id, h.sku_id, h.pool_id, h.state, h.health, h.slots, h.used_slots,
  h.epoch, h.generation, h.reported_generation, h.agent_version, h.facts, h.is_simulated, h.last_seen_at,
  h.drain_deadline_at, h.supply_ends_at, h.created_at, h.retired_at, h.enrolment_id, h.health_message,
  h.facts_at, h.fitting_slots, h.unfit_at, h.unfit_message, h.benchmark`

const selectHosts = statement<HostRow>(
  'fleet.find_hosts',
  `select ${columns}
   from hosts h
   where h.id = any($1)
   order by h.id`,
)
const insertRows = statement<never>(
  'fleet.insert_hosts',
  `insert into hosts (id, account_id, workspace_id, sku_id, pool_id, state, health, slots, agent_version, facts,
     is_simulated, last_seen_at, created_at, facts_at, fitting_slots, slot_hardware)
   select n.id, n.account_id, n.workspace_id, n.sku_id, n.pool_id, n.state, n.health, n.slots, n.agent_version,
     n.facts, n.is_simulated, n.last_seen_at, n.created_at, n.facts_at, n.fitting_slots, n.slot_hardware
   from jsonb_to_recordset($1::jsonb) as n(id text, account_id text, workspace_id text, sku_id text, pool_id text,
     state text, health text, slots integer, agent_version text, facts jsonb, is_simulated boolean,
     last_seen_at bigint, created_at bigint, facts_at bigint, fitting_slots integer, slot_hardware jsonb)
   order by n.id`,
)
const selectSuppliers = statement<{ sku_id: string; accounts: string[] }>(
  'fleet.list_suppliers',
  `select h.sku_id, array_agg(distinct h.account_id) as accounts
   from hosts h
   where h.sku_id = any($1)
   group by h.sku_id`,
)
const selectPartnerHosts = statement<{ id: Id<'host'>; account_id: string }>(
  'fleet.list_partner_hosts',
  `select id, account_id
   from hosts
   where sku_id = $1 and account_id <> $2 and state <> 'retired'
   order by id
   limit $3`,
)
const readRealTime = statement<{ now: number }>(
  'fleet.read_real_time',
  'select floor(bourse_real_now())::bigint as now',
)

/** Taken to change the desired state of a host, its reported state, or its stage. */
export const hostLock = defineLock(
  'host',
  'hosts',
  `select id
   from hosts
   where id = any($1)
   order by id
   for no key update`,
)

/** A host of whatever account. */
export async function findHost(db: Db, id: string): Promise<HostRow | undefined> {
  return (await listHostsById(db, [id]))[0]
}

/** Some hosts, in the order of their ids. */
export function listHostsById(db: Db, ids: readonly string[]): Promise<HostRow[]> {
  return db.rows(selectHosts, [ids])
}

export async function insertHosts(db: Db, rows: readonly NewHostRow[]): Promise<void> {
  await db.run(insertRows, [JSON.stringify(rows)])
}

/** The accounts whose hosts supply SKUs or did. */
export async function listSuppliers(db: Db, skuIds: readonly string[]): Promise<Map<string, string[]>> {
  return new Map((await db.rows(selectSuppliers, [skuIds])).map(({ sku_id, accounts }) => [sku_id, accounts]))
}

/** The hosts of a SKU of other accounts than the operator's. Retired ones do not count. */
export async function listPartnerHosts(
  db: Db,
  { sku_id, platform }: { sku_id: string; platform: string },
  limit: number,
): Promise<Referrer[]> {
  const rows = await db.rows(selectPartnerHosts, [sku_id, platform, limit])
  return rows.map((row) => ({ kind: 'host', ...row }))
}

/** The real clock, in seconds. */
export async function readRealNow(db: Db): Promise<number> {
  return ((await db.row(readRealTime)) as { now: number }).now
}

/** A page of the hosts that match `where`. */
export function listHosts(ctx: Ctx, query: PageQuery, list: ListFilters): Promise<Page<HostRow>> {
  const select = `select ${columns}
     from hosts h`
  return readPage<HostRow>(ctx, { prefix: 'hostc', query, select, ...list, sort: newestFirst('h') })
}
