-- How far below zero each account was allowed to go, from behind which row of the ledger on. Of two at the same row the
-- younger holds. Append-only.
create table credit_limits (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null references money_accounts,
  after_ledger_id bigint not null,
  credit_limit_micros bigint not null check (credit_limit_micros >= 0)
);
create index credit_limits_by_account on credit_limits (account_id, id);

-- Of limits that came and went before nothing is known but how far they were used.
insert into credit_limits (account_id, after_ledger_id, credit_limit_micros)
select m.account_id, 0, greatest(m.credit_limit_micros, -min(l.balance_after_micros))
from money_accounts m left join ledger l on l.account_id = m.account_id and l.book = 'credit'
group by m.account_id having greatest(m.credit_limit_micros, -min(l.balance_after_micros)) > 0;

insert into credit_limits (account_id, after_ledger_id, credit_limit_micros)
select m.account_id, (select max(l.id) from ledger l where l.account_id = m.account_id), m.credit_limit_micros
from money_accounts m join credit_limits c on c.account_id = m.account_id
where c.credit_limit_micros > m.credit_limit_micros;

grant select, insert on credit_limits to bourse_app;
