-- serves: 55
-- By whose links the session came about in which a token was made. Null: nobody's, or not known, from before.
alter table tokens add column let_in_by text[] collate "C";
