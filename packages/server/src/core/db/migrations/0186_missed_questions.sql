-- Questions that the bot could not answer, and answers with a bad rating. A row is deleted with the message
-- of its question, and so with the data of the person and by retention.
create table missed_question (
  bot_id text not null,
  -- The bot's message: "I do not know", or the answer with the bad rating.
  answer_id text not null,
  -- The message of the person; the bot's own if there is none.
  message_id text not null,
  conversation_id text not null,
  -- Digest of the words that carry the meaning: equal for the same question in other words.
  key text not null,
  text text not null,
  reason text not null check (reason in ('unanswered', 'rated')),
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, answer_id),
  foreign key (bot_id, message_id) references message on delete cascade
);
create index missed_question_message on missed_question (bot_id, message_id);
create index missed_question_time on missed_question (bot_id, created_at desc);
create index missed_question_key on missed_question (bot_id, key);

-- Questions that a person has dismissed: they are no questions.
create table dismissed_question (
  bot_id text not null references bot on delete cascade,
  key text not null,
  account_id text references account on delete set null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, key)
);
create index dismissed_question_account on dismissed_question (account_id)
  where account_id is not null;
