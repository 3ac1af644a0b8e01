-- The durable queue. A lane is an ordering key (a conversation, a workflow): its deliveries run one after the other, in order of number.
-- The lease is per lane and per process: a lane belongs to the process in `owner` for as long as that process is alive.

-- A process that delivers. It renews alive_until; when that has passed, its lanes are free.
create table worker (
  id text primary key,
  host text not null,
  pid integer not null,
  alive_until timestamptz(3) not null,
  started_at timestamptz(3) not null default now()
);

create table lane (
  bot_id text not null,
  key text not null,
  owner text,
  -- deliveries waiting or running
  pending integer not null default 0,
  last_number bigint not null default 0,
  -- when the head may run (again)
  ready_at timestamptz(3) not null default now(),
  primary key (bot_id, key)
) with (fillfactor = 50);
-- what a free worker looks for: lanes with work, oldest first
create index on lane (ready_at) where pending > 0 and owner is null;
create index on lane (owner) where owner is not null;

create table delivery (
  bot_id text not null,
  lane text not null,
  number bigint not null,
  id text not null,
  -- what to do: 'event' (to the bot), 'message' (to an integration) …; delivery/ knows the kinds
  kind text not null,
  -- the event's or the message's id
  subject_id text not null,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now(),
  -- given up: on the dead-letter list until someone redelivers or discards it
  dead_at timestamptz(3),
  primary key (bot_id, lane, number)
);
create unique index on delivery (bot_id, id);
create index on delivery (bot_id, dead_at desc) where dead_at is not null;

create table delivery_attempt (
  bot_id text not null,
  delivery_id text not null,
  attempt integer not null,
  started_at timestamptz(3) not null,
  ms integer not null,
  error text not null,
  primary key (bot_id, delivery_id, attempt)
);
