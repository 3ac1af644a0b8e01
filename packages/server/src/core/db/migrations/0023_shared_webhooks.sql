-- What one number, or one app, of an integration is shared by: who types a bot's shareable id there has found the bot.
create table shareable_id (
  bot_id text not null,
  alias text not null,
  code text not null unique,
  expires_at timestamptz(3) not null,
  primary key (bot_id, alias),
  foreign key (bot_id, alias) references installation on delete cascade
);

-- Conversations at a third party, by the name that the integration's script gives them, and the bot that each is with. owner is the workspace of the
-- integration, empty for what the server brings itself: a conversation outlives changes of version.
create table sandbox_conversation (
  owner text not null,
  integration text not null,
  identifier text not null,
  bot_id text not null,
  alias text not null,
  primary key (owner, integration, identifier),
  foreign key (bot_id, alias) references installation on delete cascade
);
create index on sandbox_conversation (bot_id, alias);

create index on integration (name);
