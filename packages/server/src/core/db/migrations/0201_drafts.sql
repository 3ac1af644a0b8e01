-- Drafts of bots (features/studio): documents that people edit before they publish them.
create table bot_draft (
  bot_id text primary key references bot on delete cascade,
  revision integer not null,
  -- Null until the draft was published, or made of the deployed document.
  published_revision integer,
  -- The version of the code that the bot had then (bot_code.version); null without code.
  deployed_code text
);

create table bot_draft_revision (
  bot_id text not null references bot_draft on delete cascade,
  revision integer not null,
  text text not null,
  -- Of the text, in UTF-8.
  bytes integer not null,
  format text not null check (format in ('JSON', 'YAML')),
  -- Of the value, so that comments and layout are no change.
  value_hash bytea not null,
  -- The base and hash of the request, so that its repetition changes nothing.
  base_revision integer,
  request_hash bytea,
  -- Null: made of the deployed document.
  created_by text,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, revision)
);

-- The bot in which people try the draft.
create table bot_trial (
  bot_id text primary key references bot on delete cascade,
  trial_bot_id text not null unique references bot on delete cascade
);
