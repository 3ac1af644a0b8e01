-- What bots and integrations remember under a name. Those of the bot and those of each integration are kept apart.
create table state (
  bot_id text not null references bot on delete cascade,
  -- whose it is: an integration's, by its alias, so that it outlives a change of version; null when the bot's
  alias text,
  owner text not null generated always as (coalesce(alias, '')) stored,
  type text not null check (type in ('conversation', 'user', 'bot', 'integration', 'workflow')),
  -- of what it is remembered: the id of a conversation, a user or a workflow; for the other types any word
  subject_id text not null,
  name text not null,
  id text not null,
  payload jsonb not null,
  -- another one with each payload: a change that was computed from an older one finds out
  revision text not null,
  -- how long it lasts without use; null for as long as what it is about
  expiry_ms bigint,
  -- said by a caller, and not by the definition
  expiry_given boolean not null,
  expires_at timestamptz(3),
  -- the event whose handling made the bot write this
  cause text,
  conversation_id text generated always as (case type when 'conversation' then subject_id end) stored,
  user_id text generated always as (case type when 'user' then subject_id end) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, owner, type, subject_id, name),
  foreign key (bot_id, alias) references installation on delete cascade,
  foreign key (bot_id, conversation_id) references conversation on delete cascade,
  foreign key (bot_id, user_id) references "user" on delete cascade
);
-- Deleting a conversation or a user finds what was remembered of it.
create index on state (bot_id, conversation_id) where conversation_id is not null;
create index on state (bot_id, user_id) where user_id is not null;
-- Who looks for what has expired sees nothing else.
create index state_expiry on state (expires_at) where expires_at is not null;
