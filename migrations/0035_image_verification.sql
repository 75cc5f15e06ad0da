-- The server hashes the bytes of an image before it is complete, and says why an image has failed.

alter table images drop constraint images_state_check;
alter table images add constraint images_state_check
  check (state in ('started', 'uploading', 'verifying', 'completed', 'revoked', 'failed'));
alter table images add column failure_reason text
  check (failure_reason in ('upload_expired', 'digest_mismatch'));
update images set failure_reason = 'upload_expired' where state = 'failed';
create index images_verifying on images (id) where state = 'verifying' and deleted_at is null;

-- Until when, by the real clock in seconds, a server verifies the image. It extends this while it does.
alter table image_uploads add column verification_until numeric not null default 0;
