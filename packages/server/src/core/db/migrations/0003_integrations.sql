-- A version of an integration. workspace_id is null for what the server brings itself (the local hub).
create table integration (
  id text primary key,
  workspace_id text references workspace on delete cascade,
  name text not null,
  version text not null,
  dev boolean not null default false,
  url text,
  -- actions, events, channels, states, user, configuration(s), identifier …, in the contract's shape
  definition jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index on integration (coalesce(workspace_id, ''), name, version) where not dev;
alter table token add foreign key (integration_id) references integration on delete cascade;

-- An integration inside a bot, under an alias. The webhook id stays while the alias does.
create table installation (
  bot_id text not null references bot on delete cascade,
  alias text not null,
  integration_id text not null references integration,
  webhook_id text not null unique,
  enabled boolean not null default true,
  configuration_type text,
  -- sealed: configurations hold keys
  configuration bytea not null,
  status text not null default 'registered',
  status_reason text,
  disabled_channels text[] not null default '{}',
  -- set by configureIntegration
  identifier text,
  sandbox_identifiers jsonb,
  register_schedule text,
  register_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, alias)
);
create index on installation (integration_id);
create unique index on installation (integration_id, identifier) where identifier is not null;
create index on installation (register_at) where register_at is not null;
