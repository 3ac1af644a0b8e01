-- What an owner sees of a bot and keeps of it: versions, issues, logs that can be looked through, what happened day by day.
alter table bot
  add column layers text[] not null default '{}',
  -- the secrets before the present one, which still sign: [{"secret": sealed, base64, "until": when it is over}], newest first
  add column retired_signing_secrets jsonb not null default '[]';

-- A bot as it was at some time.
create table bot_version (
  bot_id text not null references bot on delete cascade,
  id text not null,
  name text not null,
  description text,
  -- of bot_version_code; null for a bot without code
  code_hash bytea,
  -- sealed, since the configurations of what is installed hold keys
  state bytea not null,
  created_by text,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
);

-- Its code, once for all versions that have the same.
create table bot_version_code (
  bot_id text not null references bot on delete cascade,
  hash bytea not null,
  code text not null,
  primary key (bot_id, hash)
);

-- Lines are looked for by time, and by what they are about.
drop index bot_log_bot_id_at_idx;
create index bot_log_at on bot_log (bot_id, at desc, id desc);
create index bot_log_level on bot_log (bot_id, level, at desc, id desc);
create index bot_log_conversation on bot_log (bot_id, conversation_id, at desc, id desc) where conversation_id is not null;
create index bot_log_user on bot_log (bot_id, user_id, at desc, id desc) where user_id is not null;
create index bot_log_workflow on bot_log (bot_id, workflow_id, at desc, id desc) where workflow_id is not null;

-- What goes wrong in a bot, each cause once.
create table issue (
  bot_id text not null references bot on delete cascade,
  id text not null,
  code text not null,
  -- without ids and numbers: what is alike is one issue
  message text not null,
  -- of code and message
  fingerprint bytea not null,
  grouped_data jsonb not null,
  events_count bigint not null,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
) with (fillfactor = 70);
create unique index issue_fingerprint on issue (bot_id, fingerprint);
create index issue_last_seen on issue (bot_id, last_seen_at desc, id desc);

-- The last times of each.
create table issue_event (
  bot_id text not null,
  issue_id text not null,
  id text not null,
  data jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, issue_id, id),
  foreign key (bot_id, issue_id) references issue on delete cascade
);

-- What happened in a day that is over, in the contract's shape. A day without a row, and not after `through`, was a quiet one.
create table analytics_day (
  bot_id text not null references bot on delete cascade,
  day date not null,
  record jsonb not null,
  primary key (bot_id, day)
);
create table analytics_progress (
  bot_id text primary key references bot on delete cascade,
  through date not null
);
