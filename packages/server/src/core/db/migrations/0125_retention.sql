-- Days after which the server deletes data of the bot, by kind.
alter table bot add column retention jsonb;

-- The next deletions of old data of each bot with such limits. A server locks the row for a batch.
create table retention_sweep (
  bot_id text primary key references bot on delete cascade,
  next_at timestamptz(3) not null default now(),
  -- Position of the current sweep: the kind, and the last row that it has read.
  step integer not null default 0,
  position text not null default ''
);
create index retention_sweep_next on retention_sweep (next_at);
