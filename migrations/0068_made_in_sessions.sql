-- serves: 55
-- In which sessions something was made that lets somebody in, so that the end of one can end it too. The rows of
-- sessions are deleted when they end, so each row has all of them: the session that made it, those in which that one
-- was let in, and so on. Ids without references, as they are kept longer. Null: none, or not known, from before.
-- A step for each table: while one waits for its lock, requests need the others.
alter table tokens add column made_in_sessions text[] collate "C";
-- step: in a transaction
alter table sign_in_links add column made_in_sessions text[] collate "C";
-- step: in a transaction
alter table device_logins add column made_in_sessions text[] collate "C";
-- step: in a transaction
alter table identities add column made_in_sessions text[] collate "C";
-- step: in a transaction
alter table passkeys add column made_in_sessions text[] collate "C";
-- step: in a transaction
alter table recovery_codes add column made_in_sessions text[] collate "C";
-- step: in a transaction
-- The first of the sessions that a user had in a browser one after another, which stands for all of them. Null: itself.
alter table sessions add column first_session_id text collate "C";
-- step: outside a transaction
create index concurrently sessions_by_first on sessions (first_session_id) where first_session_id is not null;
-- step: outside a transaction
create index concurrently tokens_by_session on tokens using gin (made_in_sessions) where made_in_sessions is not null;
-- step: outside a transaction
create index concurrently identities_by_session on identities using gin (made_in_sessions)
  where made_in_sessions is not null;
-- step: outside a transaction
create index concurrently passkeys_by_session on passkeys using gin (made_in_sessions)
  where made_in_sessions is not null;
-- step: outside a transaction
create index concurrently recovery_codes_by_session on recovery_codes using gin (made_in_sessions)
  where made_in_sessions is not null;
