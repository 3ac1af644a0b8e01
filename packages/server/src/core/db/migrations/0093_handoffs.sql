-- People answer in place of a bot. While `bot_paused`, what users do in the conversation is not
-- delivered to the bot; an open handoff says why.
alter table conversation add column bot_paused boolean not null default false;
-- Decided when the message was written, so that a later delivery, after a crash, does the same.
alter table delivery add column withheld boolean not null default false;

create table handoff (
  bot_id text not null,
  id text not null,
  conversation_id text not null,
  reason text,
  summary text,
  bot_receives text not null check (bot_receives in ('nothing', 'everything')),
  -- Null if the bot asked.
  requested_by text references account on delete set null,
  -- Null while it waits.
  assigned_to text references account on delete set null,
  requested_at timestamptz(3) not null default now(),
  assigned_at timestamptz(3),
  answered_at timestamptz(3),
  closed_at timestamptz(3),
  outcome text check (outcome in ('returned', 'solved')),
  primary key (bot_id, id),
  foreign key (bot_id, conversation_id) references conversation on delete cascade,
  check ((closed_at is null) = (outcome is null))
);
create unique index handoff_open on handoff (bot_id, conversation_id) where closed_at is null;
create index handoff_of_conversation on handoff (bot_id, conversation_id, id);
create index handoff_active on handoff (bot_id, id) where closed_at is null;
create index handoff_by_person on handoff (bot_id, assigned_to, id) where closed_at is null;
create index handoff_requested_by on handoff (requested_by) where requested_by is not null;
create index handoff_assigned_to on handoff (assigned_to) where assigned_to is not null;
create index handoff_closed on handoff (bot_id, id) where closed_at is not null;

-- The user of a bot under whose name a member answers.
create table handoff_agent (
  bot_id text not null,
  account_id text not null references account on delete cascade,
  user_id text not null,
  primary key (bot_id, account_id),
  foreign key (bot_id, user_id) references "user" on delete cascade
);
create index handoff_agent_account on handoff_agent (account_id);
