-- serves: 55
-- Ended sessions are recorded by a trigger, because a program of an earlier version may serve during an upgrade: it
-- deletes the row of a session alone. One of schema 70 to 80 also inserts the record, before the trigger does.
create function record_ended_session() returns trigger language plpgsql as $$
begin
  insert into ended_sessions (token_id, account_id, ended_at)
  values (old.id, old.account_id, floor(bourse_real_now())::bigint)
  on conflict do nothing;
  return null;
end
$$;
-- Two ends of sessions forget old rows at once, and lock them first.
grant update on ended_sessions to bourse_app;
-- step: in a transaction
create trigger record_ended_session after delete on tokens for each row when (old.kind = 'session')
  execute function record_ended_session();
-- step: in a transaction
-- Those that ended between migration 70 and the end of the last program before it.
-- locks: rows that nobody else writes.
insert into ended_sessions (token_id, account_id, ended_at)
  select distinct on (e.actor_token_id) e.actor_token_id, e.account_id, floor(bourse_real_now())::bigint
  from events e
  where e.actor_token_id is not null and not exists (
    select
    from tokens t
    where t.id = e.actor_token_id
  )
on conflict do nothing;
