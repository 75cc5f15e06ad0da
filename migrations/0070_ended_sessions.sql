-- serves: 55
-- Sessions that have ended, as long as events may name them: the rows of their tokens are deleted.
create table ended_sessions (
  token_id text collate "C" primary key,
  account_id text collate "C" not null,
  -- Real time.
  ended_at bigint not null
);
create index ended_sessions_by_end on ended_sessions (ended_at);
grant select, insert, delete on ended_sessions to bourse_app;
-- Those of before are not recorded, and their events would look like damage until they are a week old.
insert into ended_sessions (token_id, account_id, ended_at)
  select distinct on (e.actor_token_id) e.actor_token_id, e.account_id, floor(bourse_real_now())::bigint
  from events e
  where e.actor_token_id is not null and not exists (
    select
    from tokens t
    where t.id = e.actor_token_id
  );
