-- Calls of the API that a bot's code made while it handled an event, and the states that it changed:
-- a row for each batch that the server wrote.
create table event_trace (
  bot_id text not null references bot on delete cascade,
  id text not null,
  event_id text not null,
  calls jsonb not null,
  changes jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
);
create index on event_trace (bot_id, hashtextextended(event_id, 0));
create index on event_trace (created_at);
