-- Questions with the answer that a person expects, and their last two results.
create table knowledge_check (
  bot_id text not null references bot on delete cascade,
  id text not null,
  question text not null,
  -- At least one of both.
  expected_file text,
  expected_text text,
  result jsonb,
  previous_result jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
);
