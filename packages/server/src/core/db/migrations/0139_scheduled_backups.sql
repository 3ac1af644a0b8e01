-- A backup that a schedule started has the time of the schedule, which only one server can take.
alter table archive_job
  add column scheduled_for timestamptz(3),
  add column verified_at timestamptz(3),
  add column verification_failure text;

create unique index archive_job_scheduled on archive_job (scheduled_for);
