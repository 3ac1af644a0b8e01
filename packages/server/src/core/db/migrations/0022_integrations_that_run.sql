-- The key with which a hosted integration calls back is good in the bots of one workspace only: each workspace has a process of its own.
alter table token add column workspace_id text references workspace on delete cascade;
create index on token (workspace_id) where workspace_id is not null;

-- Who is told to register or unregister is so for a while. `attempt` names the last telling: its outcome counts, that of an earlier one does not.
-- `registered_as` is the code that registered; `former_id` the version that is being unregistered after an upgrade, and may call us meanwhile;
-- `leaves` is to be removed when it has been told.
alter table installation
  add column attempt text,
  add column registered_as text,
  add column former_id text,
  add column leaves boolean not null default false;
create index on installation (updated_at) where attempt is not null;

-- What hosted integrations say on standard output, for their owners.
create table integration_log (
  integration_id text not null references integration on delete cascade,
  id bigint generated always as identity,
  at timestamptz(3) not null,
  level text not null,
  message text not null,
  bot_id text,
  conversation_id text,
  user_id text,
  primary key (integration_id, id)
);
create index on integration_log (integration_id, at desc, id desc);

-- What the bot changed in a message or conversation and an integration has asked to be told of, as it will be told, until it was.
create table told_change (
  bot_id text not null references bot on delete cascade,
  id text not null,
  alias text not null,
  operation text not null,
  body jsonb not null,
  primary key (bot_id, id)
);
