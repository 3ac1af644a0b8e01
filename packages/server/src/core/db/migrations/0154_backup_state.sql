-- The state of backups is read every few seconds, also with many stored jobs.
create index archive_job_successful on archive_job (ended_at)
  where kind = 'backup' and failure is null and progress = 1;

create index archive_job_verified on archive_job (verified_at) where verified_at is not null;
