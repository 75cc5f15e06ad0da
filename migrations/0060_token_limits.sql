-- serves: 55
-- Tokens for some networks or some resources, and the longest life of tokens that people make.

-- Null: from everywhere, and all resources.
-- The jti of a limited token begins with `limited:`, which its claims leave out. So a program that does not know these
-- columns refuses the token.
alter table tokens
  add column allowed_cidrs text[],
  add column resources text[];

alter table accounts
  add column token_lifetime_max_days integer not null default 365;
