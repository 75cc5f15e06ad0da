-- serves: 55
-- The public keys that the signer of a seal knew. A later one vouches for keys that no key file has any more.
alter table audit_seals add column known_keys jsonb;
