-- serves: 41
-- Epochs of a new history begin above all that an earlier one can have given, so they outgrow 32 bits sooner.
-- locks: hosts are few, and writing them anew takes a moment.
alter table hosts alter column epoch type bigint;
