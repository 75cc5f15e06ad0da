import type { LimitName, TrustLevel } from '@bourse/api/iam/limits.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** The state of one limit of an account. */
export type LimitState = {
  trust_level: TrustLevel
  is_overridden: boolean
  override: number | null
  used: number
}

const listStates = statement<LimitState & { name: LimitName }>(
  'iam.list_limit_states',
  `select l.name, a.trust_level, o.account_id is not null as is_overridden, o.value as override,
     coalesce(u.used, 0) + coalesce((
       select sum(c.amount)
       from limit_changes c
       where c.account_id = a.id and c.name = l.name
     ), 0)::bigint as used
   from accounts a
   cross join unnest($2::text[]) as l(name)
   left join limit_overrides o on o.account_id = a.id and o.name = l.name
   left join limit_usage u on u.account_id = a.id and u.name = l.name
   where a.id = $1`,
)

const putOne = statement<never>(
  'iam.put_limit_override',
  `insert into limit_overrides (account_id, name, value)
   values ($1, $2, $3)
   on conflict (account_id, name) do update set value = excluded.value`,
)

const removeOne = statement<never>(
  'iam.remove_limit_override',
  `delete from limit_overrides
   where account_id = $1 and name = $2`,
)

/** The state of some limits of an account. */
export function listLimitStates(
  db: Db,
  accountId: string,
  names: readonly LimitName[],
): Promise<(LimitState & { name: LimitName })[]> {
  return db.rows(listStates, [accountId, names])
}

/** Whether an account is frozen, its trust level and the overrides of its limits. */
type BoundsRow = {
  account_id: string
  is_frozen: boolean
  trust_level: TrustLevel
  overrides: Partial<Record<LimitName, number | null>> | null
}

const listBoundsOfMany = statement<BoundsRow>(
  'iam.list_bounds',
  `select a.id as account_id, a.is_frozen, a.trust_level,
     (
       select jsonb_object_agg(o.name, o.value)
       from limit_overrides o
       where o.account_id = a.id and o.name = any($2)
     ) as overrides
   from accounts a
   where a.id = any($1)`,
)

/** The bounds of several accounts, with the overrides of some limits. */
export function listBounds(db: Db, accountIds: readonly string[], names: readonly LimitName[]): Promise<BoundsRow[]> {
  return db.rows(listBoundsOfMany, [accountIds, names])
}

/** Overrides a limit of an account; null means no limit. */
export function putLimitOverride(db: Db, accountId: string, name: string, value: number | null): Promise<number> {
  return db.run(putOne, [accountId, name, value])
}

/** Removes the override of a limit. Returns the number of removed rows. */
export function removeLimitOverride(db: Db, accountId: string, name: string): Promise<number> {
  return db.run(removeOne, [accountId, name])
}
