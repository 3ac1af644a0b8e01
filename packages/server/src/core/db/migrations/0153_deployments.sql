-- The reason why the code of a version did not load at its last deployment.
alter table bot_version add column load_error text;

-- When a bot got which state. The version is null for a state that no version has.
create table bot_deployment (
  bot_id text not null references bot on delete cascade,
  at timestamptz not null default now(),
  version_id text,
  primary key (bot_id, at)
);

-- Whether the server resolved the issue, because the bot handled all its events after redelivery.
alter table issue add column resolved_by_redelivery boolean not null default false;
