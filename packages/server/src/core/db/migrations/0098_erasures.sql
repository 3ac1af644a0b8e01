-- Erasures of people's data. A row with `next_at` has work left. Its receipt stays, without personal
-- data: the id of the user is the server's own.
create table erasure (
  id text primary key,
  workspace_id text not null references workspace on delete cascade,
  bot_id text not null,
  user_id text not null,
  -- Account; null for the bot's own key.
  requested_by text,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  next_at timestamptz(3) default now(),
  -- Of the user, who is deleted before the end: its other id, its integration, its creation.
  shown_id text not null,
  integration text,
  user_created_at timestamptz(3),
  -- Conversations of only this person, and events that were being delivered when they were erased.
  conversations text[] not null default '{}',
  events text[] not null default '{}',
  -- Position of the current pass, and whether it has erased anything.
  step integer not null default 0,
  position text not null default '',
  has_erased boolean not null default false,
  counts jsonb not null default '{}',
  receipt jsonb
);
create index erasure_pending on erasure (next_at) where next_at is not null;
create index erasure_listing on erasure (bot_id, created_at, id);
create unique index erasure_running on erasure (bot_id, user_id) where ended_at is null;
create index erasure_of_workspace on erasure (workspace_id);
