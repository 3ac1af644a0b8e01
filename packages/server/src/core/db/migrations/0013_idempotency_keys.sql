-- The first answers of requests that carried an Idempotency-Key: given again for a day to who repeats them. A row is written in the transaction
-- of what the request did, so that there are both or neither. Neither the key nor the answer can be read here.
create table idempotency_key (
  -- '' for what happens outside of any bot
  bot_id text not null,
  -- SHA-256 of whose key it is, for which operation, and the key itself
  id bytea not null,
  -- SHA-256 of what was asked
  request bytea not null,
  -- the worker that is at it, where the answer can be written only afterwards; null once it is
  owner text,
  status smallint,
  -- sealed: some answers show a secret, once
  answer bytea,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
);
create index on idempotency_key (created_at);
