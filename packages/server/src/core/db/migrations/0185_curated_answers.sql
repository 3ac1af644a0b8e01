-- Answers that people write to questions. They come before the documents.
create table curated_answer (
  bot_id text not null references bot on delete cascade,
  id text not null,
  -- Null: of all knowledge bases.
  knowledge_base_id text,
  questions text[] not null,
  text text not null,
  -- Buttons below the text.
  buttons jsonb not null default '[]',
  image_url text,
  -- As the person states it, such as "en"; null: found by the words.
  language text,
  valid_from timestamptz(3),
  valid_to timestamptz(3),
  -- The account that owns the answer; null for the bot, and after the account was deleted.
  account_id text references account on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, id),
  foreign key (bot_id, knowledge_base_id) references knowledge_base on delete cascade
);
create index curated_answer_base on curated_answer (bot_id, knowledge_base_id)
  where knowledge_base_id is not null;
create index curated_answer_account on curated_answer (account_id) where account_id is not null;
