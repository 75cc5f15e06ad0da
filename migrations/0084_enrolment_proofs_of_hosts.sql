-- serves: 55
-- The last request to enrol that was accepted with a proof: when the agent signed it, its SHA-256, and the epoch that
-- it got. Null: none had a proof.
alter table hosts add column proof_signed_at bigint, add column proof_digest bytea, add column proof_epoch bigint;
