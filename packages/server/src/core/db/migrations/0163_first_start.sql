-- The first start of an installation: created with its workspace, completed by its last step, after
-- the first bot. Installations of earlier versions have no row, and are complete.
create table first_start (
  workspace_id text primary key references workspace on delete cascade,
  completed_at timestamptz
);
