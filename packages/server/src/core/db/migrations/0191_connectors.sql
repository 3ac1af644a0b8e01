-- Connections that the server opens to the providers of installed channels, such as long polling. A row
-- outlives a disabled installation, so that nothing is missed or repeated when it is enabled again.
create table connector (
  bot_id text not null,
  alias text not null,
  is_active boolean not null,
  -- Digest of the account at the provider: the cursor belongs to it.
  account text not null,
  -- Where the connection continues; null: from now on.
  cursor text,
  -- Counts registrations: a connection with an earlier configuration ends.
  generation integer not null default 1,
  -- The server that connects.
  worker text,
  state text not null default 'connecting' check (state in ('connecting', 'connected', 'failing')),
  -- Why it is failing.
  reason text,
  changed_at timestamptz(3) not null default now(),
  primary key (bot_id, alias),
  foreign key (bot_id, alias) references installation on delete cascade
);
