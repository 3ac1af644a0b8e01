-- Why a scheduled backup is not in the bucket.
alter table archive_job add column copy_failure text;
