-- What opens the data keys, sealed with a master key: once for each master key that is good. More than one while a new one takes over.
create table root_key (
  -- names the master key; tells nothing of it
  master text primary key,
  wrapped bytea not null,
  created_at timestamptz not null default now()
);

-- What secrets are sealed with: a key for each workspace, and some of the server's own, sealed with the root key. A workspace that is deleted leaves
-- its key behind: a bot that had moved on may still have what was sealed with it.
create table data_key (
  id uuid primary key,
  -- a hash of what it is for, a workspace or something of the server's own: what is deleted is named nowhere
  owner bytea not null unique,
  wrapped bytea not null,
  created_at timestamptz not null default now()
);
