import { defineAudit } from '../core/work/auditor.ts'

/** The invariants of money that SQL can check on billing's own tables. */
export const moneyAudits = [
  defineAudit(
    'money.zero-sum',
    `select cause_kind, cause_id, part, sum(amount_micros) as sum
     from ledger
     group by cause_kind, cause_id, part
     having sum(amount_micros) <> 0`,
  ),
  // Checked after every row in the order of the ledger, because a later row can hide a balance that was too low. Credit
  // may fall as far below zero as the credit limit of that moment.
  defineAudit(
    'money.floor',
    `select l.id, l.account_id, l.book, l.running
     from (
       select id, account_id, book, sum(amount_micros) over (partition by account_id, book order by id) as running
       from ledger
       where book <> 'funding'
     ) l
     where l.running < 0
       and case l.book
         when 'credit' then l.running < -coalesce((
           select c.credit_limit_micros
           from credit_limits c
           where c.account_id = l.account_id and c.after_ledger_id < l.id
           order by c.id desc
           limit 1
         ), 0)
         else true
       end`,
  ),
  defineAudit(
    'money.fold',
    `select coalesce(m.account_id, l.account_id) as account_id, m.credit_micros, l.credit, m.held_micros, l.held
     from money_accounts m
     full join (
       select account_id,
         coalesce(sum(amount_micros) filter (where book = 'credit'), 0) as credit,
         coalesce(sum(amount_micros) filter (where book = 'held'), 0) as held
       from ledger
       where account_id is not null
       group by account_id
     ) l on l.account_id = m.account_id
     where coalesce(m.credit_micros, 0) <> coalesce(l.credit, 0) or coalesce(m.held_micros, 0) <> coalesce(l.held, 0)`,
  ),
  // The running balance of each row is the sum of the rows up to it.
  defineAudit(
    'money.running',
    `select id, account_id, book, balance_after_micros, running
     from (
       select id, account_id, book, balance_after_micros,
         sum(amount_micros) over (partition by account_id, book order by id) as running
       from ledger
       where account_id is not null
     ) l
     where balance_after_micros <> running`,
  ),
  defineAudit(
    'money.held-exact',
    `select coalesce(m.account_id, h.account_id) as account_id, m.held_micros, h.held
     from money_accounts m
     full join (
       select account_id, sum(amount_micros) as held
       from holds
       group by account_id
     ) h on h.account_id = m.account_id
     where coalesce(m.held_micros, 0) <> coalesce(h.held, 0)`,
  ),
  // The database role of the program can insert into the ledger, and can neither change nor remove its rows.
  defineAudit(
    'money.append-only',
    `select t.name, p.privilege
     from (values ('ledger'), ('ledger_transactions'), ('credit_limits'),
       ('closed_statements')) as t (name)
     cross join (values ('UPDATE'), ('DELETE'), ('TRUNCATE')) as p (privilege)
     where has_table_privilege(current_user, t.name, p.privilege)`,
  ),
  // What a second operator approved is what was posted, once, or what became the credit limit, and nobody approved an
  // own request.
  defineAudit(
    'money.approved',
    `select p.id, p.account_id, p.amount_micros, p.transaction_id, t.amount_micros as posted_micros
     from pending_credits p
     left join ledger_transactions t on t.id = p.transaction_id
     where p.state = 'approved'
       and (
         case when p.type = 'credit_limit'
           then not exists (
             select 1
             from credit_limits c
             where c.account_id = p.account_id and c.credit_limit_micros = p.amount_micros
           )
           else t.id is null
             or t.account_id <> p.account_id
             or t.type <> p.type
             or t.amount_micros <> p.amount_micros
         end
         or p.decided_by_token_id = p.requested_by_token_id
         or p.decided_by_user_id = p.requested_by_user_id
       )`,
  ),
  // The amount of a transaction is what the ledger moved in the books of its account for the same cause.
  defineAudit(
    'money.export',
    `select t.id, t.account_id, t.amount_micros, l.moved
     from ledger_transactions t
     left join (
       select account_id, cause_id, sum(amount_micros) as moved
       from ledger
       where cause_kind in ('fill', 'posting') and account_id is not null
       group by account_id, cause_id
     ) l on l.account_id = t.account_id and l.cause_id = coalesce(t.fill_id, t.id)
     where coalesce(l.moved, 0) <> t.amount_micros`,
  ),
]
