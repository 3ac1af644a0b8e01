-- Conversations and what is said in them. Every key starts with the bot, so that the database can be sharded by it,
-- and no row of another bot can be named by accident. Tags are kept as the bot sees them: its own bare, an integration's as alias:tag.

-- `fid` is the id that a chat client chose; clients see it instead of ours.
create table "user" (
  bot_id text not null references bot on delete cascade,
  id text not null,
  fid text,
  -- alias of the integration that made it; null when the bot did
  integration text,
  name text,
  picture_url text,
  profile text,
  tags jsonb not null default '{}',
  properties jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
);
create unique index on "user" (bot_id, fid) where fid is not null;
-- The id is beside the key, not in it: else a planner without statistics takes this index to find a row by its id, bot by bot.
create index on "user" (bot_id, created_at desc) include (id);
create index on "user" using gin (tags jsonb_path_ops);

create table conversation (
  bot_id text not null references bot on delete cascade,
  id text not null,
  fid text,
  -- the chat user who made it; null outside the Chat API
  owner_id text,
  integration text not null,
  channel text not null,
  tags jsonb not null default '{}',
  properties jsonb not null default '{}',
  message_count integer not null default 0,
  -- numbers the messages and signals of this conversation: their order, and where a listener resumes
  last_number bigint not null default 0,
  -- createdAt of its newest message: the next one is later by at least a millisecond
  last_message_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
) with (fillfactor = 70);
create unique index on conversation (bot_id, fid) where fid is not null;
create index on conversation (bot_id, created_at desc) include (id);
create index on conversation (bot_id, owner_id, created_at desc) include (id) where owner_id is not null;
create index on conversation using gin (tags jsonb_path_ops);

create table participant (
  bot_id text not null,
  conversation_id text not null,
  user_id text not null,
  joined_at timestamptz(3) not null default now(),
  primary key (bot_id, conversation_id, user_id),
  foreign key (bot_id, conversation_id) references conversation on delete cascade,
  foreign key (bot_id, user_id) references "user" on delete cascade
);
create index on participant (bot_id, user_id);

create table message (
  bot_id text not null,
  id text not null,
  conversation_id text not null,
  user_id text not null,
  number bigint not null,
  direction text not null check (direction in ('incoming', 'outgoing')),
  type text not null,
  payload jsonb not null,
  tags jsonb not null default '{}',
  origin text,
  -- the event whose handling made the bot write this (the call back names its invocation)
  cause text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (bot_id, id),
  foreign key (bot_id, conversation_id) references conversation on delete cascade
);
create unique index on message (bot_id, conversation_id, number desc);

-- What listeners hear besides messages; a message is its own signal, under its number.
create table signal (
  bot_id text not null,
  conversation_id text not null,
  number bigint not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, conversation_id, number),
  foreign key (bot_id, conversation_id) references conversation on delete cascade
);

create table event (
  bot_id text not null references bot on delete cascade,
  id text not null,
  type text not null,
  -- null for message_created: its payload is the message, user and conversation, read when asked for
  payload jsonb,
  conversation_id text,
  user_id text,
  message_id text,
  workflow_id text,
  status text not null default 'pending' check (status in ('pending', 'processed', 'ignored', 'failed', 'scheduled', 'canceled')),
  failure_reason text,
  cause text,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
) with (fillfactor = 80);
create index on event (bot_id, conversation_id, id desc) where conversation_id is not null;
create index on event (bot_id, message_id) where message_id is not null;
