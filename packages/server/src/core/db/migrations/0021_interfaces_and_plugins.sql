-- Beside integration: what the three have in common says packages/versions.ts.

-- A version of an interface: what integrations may implement and plugins work through.
create table interface (
  id text primary key,
  workspace_id text not null references workspace on delete cascade,
  line_id text not null references package_line,
  name text not null,
  version text not null,
  rank text collate "C" not null,
  visibility text not null check (visibility in ('private', 'public')),
  title text,
  description text not null default '',
  readme_id text,
  sdk_version text,
  -- entities, events, actions, channels, nameTemplate, attributes, in the contract's shape
  definition jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (workspace_id, name, version)
);
create index on interface (line_id);
create index on interface (workspace_id, name, rank);
create index on interface (workspace_id, created_at, id);
create index on interface (name, id) where visibility <> 'private';
create index on interface (created_at, id) where visibility = 'public';

-- A version of a plugin, without its code.
create table plugin (
  id text primary key,
  workspace_id text not null references workspace on delete cascade,
  line_id text not null references package_line,
  name text not null,
  version text not null,
  rank text collate "C" not null,
  visibility text not null check (visibility in ('private', 'unlisted', 'public')),
  title text,
  description text not null default '',
  readme_id text,
  sdk_version text,
  -- configuration, states, events, actions, tags, attributes, in the contract's shape
  definition jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (workspace_id, name, version)
);
create index on plugin (line_id);
create index on plugin (workspace_id, name, rank);
create index on plugin (workspace_id, created_at, id);
create index on plugin (name, id) where visibility <> 'private';
create index on plugin (created_at, id) where visibility = 'public';

-- Apart, because it is large and seldom read.
create table plugin_code (
  plugin_id text not null references plugin on delete cascade,
  platform text not null check (platform in ('node', 'browser')),
  code text not null,
  primary key (plugin_id, platform)
);

-- What a plugin needs in a bot, under a name of its own: an interface or an integration. It has the workspace, too, so that it is gone before what it
-- refers to when all of a workspace goes.
create table plugin_dependency (
  plugin_id text not null references plugin on delete cascade,
  workspace_id text not null references workspace on delete cascade,
  alias text not null,
  interface_id text references interface,
  integration_id text references integration,
  check (num_nonnulls(interface_id, integration_id) = 1)
);
create unique index on plugin_dependency (plugin_id, alias) where interface_id is not null;
create unique index on plugin_dependency (plugin_id, alias) where integration_id is not null;
create index on plugin_dependency (interface_id) where interface_id is not null;
create index on plugin_dependency (integration_id) where integration_id is not null;
create index on plugin_dependency (workspace_id);

-- A plugin inside a bot, under an alias.
create table bot_plugin (
  bot_id text not null references bot on delete cascade,
  alias text not null,
  plugin_id text not null references plugin,
  enabled boolean not null,
  -- sealed: configurations hold keys
  configuration bytea not null,
  -- what it works through: {name in the plugin: {integrationId, integrationAlias, …}}
  interfaces jsonb not null,
  integrations jsonb not null,
  -- what it brings into the bot, under names with its alias before them, in the shape of bot.definition
  definition jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, alias)
);
create index on bot_plugin (plugin_id);
