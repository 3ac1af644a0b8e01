-- Packages (integrations now, interfaces and plugins beside them) exist in versions. What all versions of a name share is their line: the icon
-- and, of integrations, the secrets. One under development has a line of its own, without a name.
create table package_line (
  id text primary key,
  kind text not null check (kind in ('integration', 'interface', 'plugin')),
  workspace_id text not null references workspace on delete cascade,
  name text,
  icon_id text,
  -- {NAME: sealed value, base64}
  secrets jsonb not null default '{}'
);
create unique index on package_line (workspace_id, kind, name) where name is not null;

-- Icons and readmes: who knows the id may read. A changed one has a new id, so that what is at an address never changes.
create table package_asset (
  id text primary key,
  workspace_id text not null references workspace on delete cascade,
  content bytea not null,
  content_type text not null
);
create index on package_asset (workspace_id);

alter table integration
  add column line_id text references package_line,
  -- by it versions are sorted: see packages/versions.ts
  add column rank text collate "C" not null default '',
  add column visibility text not null default 'private' check (visibility in ('private', 'unlisted', 'public')),
  add column title text,
  add column description text not null default '',
  add column attributes jsonb not null default '{}',
  -- what listings are searched by, apart from the definition, because that may be large
  add column action_names text[] not null default '{}',
  add column interface_ids text[] not null default '{}',
  add column interface_names text[] not null default '{}',
  add column readme_id text,
  add column sdk_version text,
  add column layers text[] not null default '{}',
  add column max_execution_seconds integer,
  -- sealed; the one before is good until then
  add column signing_secret bytea,
  add column previous_signing_secret bytea,
  add column previous_signing_until timestamptz(3);

create index on integration (line_id);
create index on integration (coalesce(workspace_id, ''), name, rank) where not dev;
create index on integration (workspace_id, created_at, id);
create index on integration (workspace_id, updated_at, id);
create index on integration (workspace_id, name, id);
create index on integration (name, id) where visibility <> 'private' and not dev;
create index on integration (created_at, id) where visibility = 'public' and not dev;
create index on integration (updated_at, id) where visibility = 'public' and not dev;
create index on integration using gin (interface_ids);
create index on integration using gin (interface_names);

-- The code of a version that is hosted here, apart from its row, because it is large and seldom read.
create table integration_code (
  integration_id text primary key references integration on delete cascade,
  version text not null,
  code text not null,
  created_at timestamptz(3) not null default now()
);

-- How often a version was looked at in the hub, apart from its row, because looking must not wait for who changes it.
create table integration_view (
  integration_id text primary key references integration on delete cascade,
  count bigint not null default 0
);
