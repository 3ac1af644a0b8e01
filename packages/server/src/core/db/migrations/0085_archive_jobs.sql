-- Backups, archives of workspaces and imports that the dashboard starts. Ended jobs have a file in
-- the folder of the server that ran them. A deleted job stays until all servers have had time to
-- delete its file.
create table archive_job (
  id text primary key,
  kind text not null check (kind in ('backup', 'archive', 'import')),
  -- no reference: the files of a deleted workspace are still to be deleted
  workspace_id text,
  file_name text not null,
  has_secrets boolean not null,
  created_by text references account on delete set null,
  -- the process that runs it, and its machine
  worker text not null,
  host text not null,
  progress real not null default 0,
  bytes bigint not null default 0,
  failure text,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  deleted_at timestamptz(3),
  check (kind <> 'archive' or workspace_id is not null)
);

create index archive_job_listed on archive_job (kind, workspace_id, created_at desc, id desc)
  where deleted_at is null;

create unique index archive_job_running on archive_job (kind, coalesce(workspace_id, ''))
  where ended_at is null;

create index archive_job_deleted on archive_job (deleted_at) where deleted_at is not null;

create function delete_archive_jobs() returns trigger language plpgsql as $$
begin
  update archive_job set deleted_at = now(), ended_at = coalesce(ended_at, now())
  where kind = 'archive' and workspace_id = old.id and deleted_at is null;
  return null;
end
$$;

create trigger delete_archive_jobs after delete on workspace
  for each row execute function delete_archive_jobs();
