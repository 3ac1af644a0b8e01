-- One message to many people of a bot.
create table broadcast (
  bot_id text not null references bot on delete cascade,
  id text not null,
  name text not null,
  -- Alias and channel of the audience.
  integration text not null,
  channel text not null,
  audience jsonb not null,
  message jsonb not null,
  quiet_hours jsonb,
  per_minute integer not null,
  state text not null default 'running' check (state in ('running', 'stopped', 'done', 'failed')),
  reason text,
  start_at timestamptz(3) not null,
  -- When a server makes the next step of a running one.
  next_at timestamptz(3) not null,
  -- The last user, or row of the table, whose recipient has been stored.
  position text not null default '',
  resolved_at timestamptz(3),
  unknown_rows bigint not null default 0,
  created_by text references account on delete set null,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (bot_id, id)
);
create index broadcast_due on broadcast (next_at) where state = 'running';
create index broadcast_account on broadcast (created_by) where created_by is not null;

-- `queued`: the message is stored, and its channel has not accepted it.
create table broadcast_recipient (
  bot_id text not null,
  broadcast_id text not null,
  user_id text not null,
  conversation_id text,
  state text not null check (state in ('waiting', 'queued', 'sent', 'failed', 'skipped')),
  -- Not before, because of quiet hours.
  due_at timestamptz(3) not null default '-infinity',
  -- Values of the row of the table, by column.
  variables jsonb,
  reason text,
  detail text,
  message_id text,
  sent_at timestamptz(3),
  primary key (bot_id, broadcast_id, user_id),
  foreign key (bot_id, broadcast_id) references broadcast on delete cascade,
  foreign key (bot_id, user_id) references "user" on delete cascade
);
-- A conversation of several people gets the message once.
create unique index broadcast_recipient_conversation on broadcast_recipient (bot_id, broadcast_id, conversation_id)
  where conversation_id is not null;
create index broadcast_recipient_due on broadcast_recipient (bot_id, broadcast_id, due_at, user_id)
  where state = 'waiting';
create index broadcast_recipient_queued on broadcast_recipient (bot_id, broadcast_id) where state = 'queued';
create index broadcast_recipient_user on broadcast_recipient (bot_id, user_id);
create index broadcast_recipient_message on broadcast_recipient (bot_id, message_id) where message_id is not null;

-- People who want no broadcasts in a channel.
create table broadcast_opt_out (
  bot_id text not null,
  integration text not null,
  channel text not null,
  user_id text not null,
  message_id text,
  noted_by text references account on delete set null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, integration, channel, user_id),
  foreign key (bot_id, user_id) references "user" on delete cascade
);
create index broadcast_opt_out_user on broadcast_opt_out (bot_id, user_id);
create index broadcast_opt_out_account on broadcast_opt_out (noted_by) where noted_by is not null;

-- Words for opting out, of a bot without the default ones.
create table broadcast_words (
  bot_id text primary key references bot on delete cascade,
  words jsonb not null
);
