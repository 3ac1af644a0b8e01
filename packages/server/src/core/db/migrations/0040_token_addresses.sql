-- From where personal access tokens were used, and in which workspace (none: for what is about no workspace). What is new here leaves an audit record.
create table token_address (
  token_id text not null references token on delete cascade,
  workspace_id text references workspace on delete cascade,
  -- an address of IPv4, a /64 of IPv6
  network text not null,
  first_used_at timestamptz(3) not null default now(),
  unique nulls not distinct (token_id, workspace_id, network)
);
create index on token_address (workspace_id) where workspace_id is not null;
