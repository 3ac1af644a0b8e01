-- Providers of models that workspaces configure by API.
create table model_provider (
  workspace_id text not null references workspace on delete cascade,
  name text not null,
  type text not null check (type in ('openai', 'anthropic', 'google', 'mistral', 'openai-compatible')),
  url text,
  -- Encrypted; null if the provider needs none.
  key bytea,
  concurrency int not null,
  timeout_ms int not null,
  models jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, name)
);
