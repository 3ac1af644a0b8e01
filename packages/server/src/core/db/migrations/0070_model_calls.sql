-- Calls of models. A bot is not referenced: the costs of deleted bots stay in the workspace's totals.
create table model_call (
  workspace_id text not null references workspace on delete cascade,
  id text not null,
  bot_id text not null,
  conversation_id text,
  user_id text,
  event_id text,
  kind text not null check (kind in ('text', 'embedding', 'speech', 'transcription', 'image')),
  -- The caller's name for the origin of the call, for example a card.
  source text,
  model text not null,
  provider text not null,
  fallback_path text[] not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost double precision not null,
  ms int not null,
  first_token_ms int,
  cached boolean not null,
  outcome text not null check (outcome in ('ok', 'failed', 'canceled', 'rejected')),
  error text,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
create index model_call_of_bot on model_call (bot_id, id);
create index model_call_of_conversation on model_call (bot_id, conversation_id, id)
  where conversation_id is not null;
create index model_call_of_event on model_call (bot_id, event_id, id) where event_id is not null;
create index model_call_of_workspace on model_call (workspace_id, created_at);
create index model_call_of_age on model_call (created_at);

-- Limits of what models may use. Without scope_id, each bot, conversation or user has its own.
create table model_budget (
  workspace_id text not null references workspace on delete cascade,
  id text not null,
  scope text not null check (scope in ('workspace', 'bot', 'conversation', 'user')),
  scope_id text,
  unit text not null check (unit in ('dollars', 'tokens', 'calls')),
  period text not null check (period in ('hour', 'day', 'month', 'total')),
  maximum double precision not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

create table model_spend (
  workspace_id text not null,
  budget_id text not null,
  -- The bot, conversation or user; empty for the workspace.
  subject text not null,
  starts_at timestamptz not null,
  value double precision not null,
  primary key (workspace_id, budget_id, subject, starts_at),
  foreign key (workspace_id, budget_id) references model_budget on delete cascade
);
create index model_spend_of_age on model_spend (starts_at);
