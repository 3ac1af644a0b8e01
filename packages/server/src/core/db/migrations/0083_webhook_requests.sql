-- The last requests of third parties to each installed integration, for its developers.
create table webhook_request (
  bot_id text not null,
  alias text not null,
  id text not null,
  at timestamptz(3) not null,
  method text not null,
  path text not null,
  -- Null if the integration did not respond; `error` then has the reason.
  status int,
  error text,
  ms int not null,
  -- Query, headers, body and response, without secrets.
  content jsonb not null,
  -- The request as it was, encrypted; null if its body is too large.
  original bytea,
  replay_of text,
  primary key (bot_id, alias, id),
  foreign key (bot_id, alias) references installation on delete cascade
);
