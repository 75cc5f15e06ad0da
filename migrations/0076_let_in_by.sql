-- serves: 55
-- By whose links a session or a way in came about: the ids of users and tokens other than the user itself. It ends
-- when the user gets a right that one of those lacks. Null: nobody's, or not known, from before.
-- A step for each table: while one waits for its lock, requests need the others.
alter table sessions add column let_in_by text[] collate "C";
-- step: in a transaction
alter table sign_in_links add column let_in_by text[] collate "C";
-- step: in a transaction
alter table device_logins add column let_in_by text[] collate "C";
-- step: in a transaction
alter table identities add column let_in_by text[] collate "C";
-- step: in a transaction
alter table passkeys add column let_in_by text[] collate "C";
-- step: in a transaction
alter table recovery_codes add column let_in_by text[] collate "C";
