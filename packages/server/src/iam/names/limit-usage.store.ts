import type { LimitName } from '@bourse/api/iam/limits.ts'
import { type Db, statement } from '../../core/db/db.ts'

const takeOne = statement<{ used: number }>(
  'iam.take_limit',
  `with folded as (
     delete from limit_changes
     where account_id = $1 and name = $2
     returning amount
   ),
   state as (
     select
       coalesce((select used from limit_usage where account_id = $1 and name = $2), 0)
         + coalesce((select sum(amount) from folded), 0)::bigint as used,
       case
         when o.account_id is null then ($4::jsonb ->> a.trust_level)::bigint
         else o.value
       end as allowed
     from accounts a
     left join limit_overrides o on o.account_id = a.id and o.name = $2
     where a.id = $1
   )
   insert into limit_usage (account_id, name, used)
   select $1, $2, used + $3
   from state
   where allowed is null or used + $3 <= allowed
   on conflict (account_id, name) do update set used = excluded.used
   returning used`,
)

const insertChange = statement<never>(
  'iam.insert_limit_change',
  `insert into limit_changes (account_id, name, amount)
   values ($1, $2, $3)`,
)

const putUses = statement<never>(
  'iam.put_uses',
  `insert into limit_usage (account_id, name, used)
   select u.account_id, u.name, u.used
   from jsonb_to_recordset($1::jsonb) as u(account_id text, name text, used bigint)
   order by u.account_id, u.name
   on conflict (account_id, name) do update set used = excluded.used`,
)

/**
 * Adds to the usage of a limit, after subtracting what was returned, unless the sum exceeds the limit. Requires the
 * account's lock. `values` maps each trust level to its limit. Returns the new usage, or undefined if it is refused.
 */
export async function takeUse(
  db: Db,
  { account_id, name, amount, values }: { account_id: string; name: string; amount: number; values: object },
): Promise<number | undefined> {
  return (await db.row(takeOne, [account_id, name, amount, JSON.stringify(values)]))?.used
}

/** Records that usage was returned. Takes no lock and waits for none. */
export function insertLimitChange(db: Db, accountId: string, name: string, amount: number): Promise<number> {
  return db.run(insertChange, [accountId, name, amount])
}

/** Sets the usage of limits that another area counts under a lock of its own. */
export function putLimitUses(db: Db, rows: readonly { account_id: string; name: LimitName; used: number }[]) {
  return db.run(putUses, [JSON.stringify(rows)])
}
