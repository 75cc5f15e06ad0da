import type { LimitName, TrustLevel } from '@bourse/api/iam/limits.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** What is known of one limit of an account. */
export type LimitState = {
  trust_level: TrustLevel
  is_overridden: boolean
  override: number | null
  used: number
}

const takeOne = statement<{ used: number }>(
  'iam.take_limit',
  `with folded as (delete from limit_changes where account_id = $1 and name = $2 returning amount),
   state as (
     select coalesce((select used from limit_usage where account_id = $1 and name = $2), 0)
         + coalesce((select sum(amount) from folded), 0)::bigint as used,
       case when o.account_id is null then ($4::jsonb ->> a.trust_level)::bigint else o.value end as allowed
     from accounts a left join limit_overrides o on o.account_id = a.id and o.name = $2 where a.id = $1
   )
   insert into limit_usage (account_id, name, used)
   select $1, $2, used + $3 from state where allowed is null or used + $3 <= allowed
   on conflict (account_id, name) do update set used = excluded.used returning used`,
)

const insertChange = statement<never>(
  'iam.insert_limit_change',
  'insert into limit_changes (account_id, name, amount) values ($1, $2, $3)',
)

const listStates = statement<LimitState & { name: LimitName }>(
  'iam.list_limit_states',
  `select l.name, a.trust_level, o.account_id is not null as is_overridden, o.value as override,
     coalesce(u.used, 0) + coalesce((
       select sum(c.amount) from limit_changes c where c.account_id = a.id and c.name = l.name
     ), 0)::bigint as used
   from accounts a cross join unnest($2::text[]) as l(name)
   left join limit_overrides o on o.account_id = a.id and o.name = l.name
   left join limit_usage u on u.account_id = a.id and u.name = l.name
   where a.id = $1`,
)

const putOne = statement<never>(
  'iam.put_limit_override',
  `insert into limit_overrides (account_id, name, value) values ($1, $2, $3)
   on conflict (account_id, name) do update set value = excluded.value`,
)

const removeOne = statement<never>(
  'iam.remove_limit_override',
  'delete from limit_overrides where account_id = $1 and name = $2',
)

/**
 * Adds to what is used of a limit, less what was given back, unless it would go over. Needs the account's lock.
 * `values` are those of the trust levels. Gives what is used then, nothing where it is refused.
 */
export async function takeUse(
  db: Db,
  { account_id, name, amount, values }: { account_id: string; name: string; amount: number; values: object },
): Promise<number | undefined> {
  return (await db.row(takeOne, [account_id, name, amount, JSON.stringify(values)]))?.used
}

/** Notes that something was given back; no lock is taken and none waited for. */
export function insertLimitChange(db: Db, account_id: string, name: string, amount: number): Promise<number> {
  return db.run(insertChange, [account_id, name, amount])
}

/** The state of some limits of an account. */
export function listLimitStates(
  db: Db,
  account_id: string,
  names: readonly LimitName[],
): Promise<(LimitState & { name: LimitName })[]> {
  return db.rows(listStates, [account_id, names])
}

/** What bounds an account: whether it may act at all, and where its limits are set apart from its trust level. */
export type BoundsRow = {
  account_id: string
  is_frozen: boolean
  trust_level: TrustLevel
  overrides: Partial<Record<LimitName, number | null>> | null
}

const listBoundsOfMany = statement<BoundsRow>(
  'iam.list_bounds',
  `select a.id as account_id, a.is_frozen, a.trust_level,
     (select jsonb_object_agg(o.name, o.value) from limit_overrides o
      where o.account_id = a.id and o.name = any($2)) as overrides
   from accounts a where a.id = any($1)`,
)

const putUses = statement<never>(
  'iam.put_uses',
  `insert into limit_usage (account_id, name, used)
   select u.account_id, u.name, u.used from jsonb_to_recordset($1::jsonb) as u(account_id text, name text, used bigint)
   order by u.account_id, u.name
   on conflict (account_id, name) do update set used = excluded.used`,
)

/** What bounds several accounts, with those of some limits that are set apart. */
export function listBounds(db: Db, account_ids: readonly string[], names: readonly LimitName[]): Promise<BoundsRow[]> {
  return db.rows(listBoundsOfMany, [account_ids, names])
}

/** Writes down what is used of limits that another area counts under a lock of its own. */
export function putLimitUses(db: Db, rows: readonly { account_id: string; name: LimitName; used: number }[]) {
  return db.run(putUses, [JSON.stringify(rows)])
}

/** Sets what holds for an account in place of its trust level's value; null = no limit. */
export function putLimitOverride(db: Db, account_id: string, name: string, value: number | null): Promise<number> {
  return db.run(putOne, [account_id, name, value])
}

/** Lets the value of the trust level hold again. */
export function removeLimitOverride(db: Db, account_id: string, name: string): Promise<number> {
  return db.run(removeOne, [account_id, name])
}
