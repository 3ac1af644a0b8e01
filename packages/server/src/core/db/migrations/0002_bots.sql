create table bot (
  id text primary key,
  workspace_id text not null references workspace on delete cascade,
  name text not null,
  description text not null default '',
  dev boolean not null default false,
  -- none yet, 'active', 'deploying' …: what the contract calls status
  status text not null default 'active',
  url text,
  -- sealed with the master key (lib/secrets.ts)
  signing_secret bytea not null,
  -- {NAME: sealed value, base64}
  secrets jsonb not null default '{}',
  -- configuration {data, schema}, states, events, recurringEvents, subscriptions, actions, user/conversation/message tags, medias:
  -- what the bot declares, in the contract's shape
  definition jsonb not null default '{}',
  tags jsonb not null default '{}',
  authentication text not null default 'iam',
  blocked boolean not null default false,
  always_alive boolean not null default false,
  max_execution_seconds integer not null default 60,
  deployed_at timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index on bot (workspace_id, created_at desc) include (id);
alter table token add foreign key (bot_id) references bot on delete cascade;

-- The code that a bot runs, apart from its row, because it is large and seldom read. A new deployment is a new version.
create table bot_code (
  bot_id text primary key references bot on delete cascade,
  version text not null,
  code text not null,
  created_at timestamptz(3) not null default now()
);

create table bot_log (
  bot_id text not null references bot on delete cascade,
  id bigint generated always as identity,
  at timestamptz(3) not null default now(),
  level text not null,
  message text not null,
  conversation_id text,
  user_id text,
  workflow_id text,
  event_id text,
  primary key (bot_id, id)
);
create index on bot_log (bot_id, at desc);
