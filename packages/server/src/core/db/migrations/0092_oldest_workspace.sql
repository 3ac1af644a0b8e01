-- in steps: not in one transaction
-- Finds the oldest workspace, whose owners operate the installation.
create index concurrently if not exists workspace_by_age on workspace (created_at, id);
