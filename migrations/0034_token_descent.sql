-- Finds the tokens that a token made, to end them with it. Deleted ones too, since what they made may be alive.
create index tokens_by_creator on tokens (created_by_token_id) where created_by_token_id is not null;
