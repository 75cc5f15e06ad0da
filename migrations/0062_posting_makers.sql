-- serves: 55
-- Who posted an amount to an account: the user of a session, otherwise the token. Without a row it was the system, or a
-- program that did not record it.
create table posting_makers (
  transaction_id text collate "C" primary key,
  token_id text collate "C",
  user_id text collate "C",
  check ((token_id is null) <> (user_id is null))
);
grant select, insert on posting_makers to bourse_app;
