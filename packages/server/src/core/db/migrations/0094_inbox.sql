-- What members write while they answer in place of a bot: tags of handoffs, notes that users do not
-- see, and canned replies.
alter table handoff add column tags jsonb not null default '{}';

create table conversation_note (
  bot_id text not null,
  id text not null,
  conversation_id text not null,
  -- Null for the bot, and after the account was deleted.
  account_id text references account on delete set null,
  text text not null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, id),
  foreign key (bot_id, conversation_id) references conversation on delete cascade
);
create index conversation_note_listing on conversation_note (bot_id, conversation_id, id);
create index conversation_note_account on conversation_note (account_id)
  where account_id is not null;

create table canned_reply (
  bot_id text not null references bot on delete cascade,
  id text not null,
  name text not null,
  text text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, id),
  unique (bot_id, name)
);

-- Finds whether a participant is a member who answers, and the row of a deleted user.
create unique index handoff_agent_user on handoff_agent (bot_id, user_id);
