-- serves: 55
-- Addresses were stored as they came, so one in two Unicode forms could belong to two users. Where it does, both stay
-- as they are: an admin knows which of them is used.
-- locks: users whose address is in another form, who are few.
update users u
set email = normalize(u.email, nfc)
where u.email is not null and u.email is not nfc normalized and not exists (
  select
  from users o
  where o.account_id = u.account_id and o.id <> u.id and o.deleted_at is null
    and lower(normalize(o.email, nfc)) = lower(normalize(u.email, nfc))
);
