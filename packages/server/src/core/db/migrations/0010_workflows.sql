-- Work of a bot that outlives the handling of one event. Its events queue in a lane of its own, whose key is the workflow's id.
create table workflow (
  bot_id text not null references bot on delete cascade,
  id text not null,
  name text not null,
  status text not null check (status in ('pending', 'in_progress', 'listening', 'paused', 'completed', 'failed', 'timedout', 'cancelled')),
  -- alias of the integration that made it; null when the bot did
  integration text,
  input jsonb not null default '{}',
  output jsonb not null default '{}',
  tags jsonb not null default '{}',
  parent_workflow_id text,
  conversation_id text,
  user_id text,
  failure_reason text,
  -- the event that tells the bot to start or to go on, as long as it has not been handled: there is one at most, so a workflow never forks
  step_event_id text,
  -- the event of another lane in whose handling the bot works on it: when that is over, the workflow goes on
  handled_in text,
  -- how often it was started without the bot taking notice
  retriggers integer not null default 0,
  timeout_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  primary key (bot_id, id),
  foreign key (bot_id, parent_workflow_id) references workflow on delete set null (parent_workflow_id),
  foreign key (bot_id, conversation_id) references conversation on delete set null (conversation_id),
  foreign key (bot_id, user_id) references "user" on delete set null (user_id)
) with (fillfactor = 80);
create index on workflow (bot_id, status, id);
create index on workflow (bot_id, name, id);
create index on workflow (bot_id, parent_workflow_id, id) where parent_workflow_id is not null;
create index on workflow (bot_id, conversation_id, id) where conversation_id is not null;
create index on workflow (bot_id, user_id, id) where user_id is not null;
create index on workflow using gin (tags jsonb_path_ops);
-- what the clock looks for
create index workflow_due on workflow (timeout_at) where status in ('pending', 'in_progress', 'listening', 'paused');
create index workflow_handled on workflow (bot_id, handled_in) where handled_in is not null;

create index on event (bot_id, workflow_id, id desc) where workflow_id is not null;

-- What is remembered of a workflow goes with it.
alter table state
  add column workflow_id text generated always as (case type when 'workflow' then subject_id end) stored,
  add foreign key (bot_id, workflow_id) references workflow on delete cascade;
create index on state (bot_id, workflow_id) where workflow_id is not null;
