-- Requests of people to the copilot of the studio (features/copilot).
create table copilot_run (
  bot_id text not null references bot on delete cascade,
  -- Within the bot, from 1.
  number integer not null,
  request text not null,
  state text not null default 'running' check (state in ('running', 'done', 'stopped', 'failed')),
  -- The account in the name of which it works.
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  -- The draft with which it began.
  base_revision integer not null,
  base_text text not null,
  format text not null check (format in ('JSON', 'YAML')),
  -- The document as it is now; null without a change.
  text text,
  answer text,
  failure text,
  -- Its steps, as people see them.
  steps jsonb not null default '[]',
  -- What the model has read and written, so that another server continues; null after the end.
  messages jsonb,
  rounds integer not null default 0,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  -- In dollars.
  cost double precision not null default 0,
  -- Of the tests of the document, when it ended.
  passed_tests integer,
  -- Of the server that works on it; another one for each time.
  lease_id text,
  lease_until timestamptz(3),
  primary key (bot_id, number)
);
create index copilot_run_running on copilot_run (created_at) where state = 'running';
create index copilot_run_ended on copilot_run (ended_at) where ended_at is not null;
