-- Who may call. Times are kept to the millisecond everywhere, because that is all that JavaScript and the wire can hold.
create table account (
  id text primary key,
  email text not null unique,
  name text,
  picture_url text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table account_preference (
  account_id text not null references account on delete cascade,
  key text not null,
  value jsonb not null,
  primary key (account_id, key)
);

create table workspace (
  id text primary key,
  name text not null,
  handle text unique,
  -- what the owner says of it (description, website, social accounts, profile picture …), shown as it is
  profile jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table workspace_member (
  workspace_id text not null references workspace on delete cascade,
  account_id text not null references account on delete cascade,
  role text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, account_id)
);
create index on workspace_member (account_id);

-- Personal access tokens, bot keys, integration keys. The secret itself is never kept: only its SHA-256.
create table token (
  id text primary key,
  kind text not null check (kind in ('pat', 'bak', 'iak')),
  hash bytea not null unique,
  note text not null default '',
  account_id text references account on delete cascade,
  bot_id text,
  integration_id text,
  -- minted by the server for a hosted bot's own process; not listed
  internal boolean not null default false,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check (num_nonnulls(account_id, bot_id, integration_id) = 1)
);
create index on token (account_id) where account_id is not null;
create index on token (bot_id) where bot_id is not null;
create index on token (integration_id) where integration_id is not null;
