-- Sessions of people who signed in with a browser.
create table session (
  id text primary key,
  account_id text not null references account on delete cascade,
  -- SHA-256 of the cookie's value, and of the value before it was renewed.
  hash bytea not null unique,
  previous_hash bytea unique,
  renewed_at timestamptz not null default now(),
  -- The browser's first use of the current value; until then the previous one stays valid.
  confirmed_at timestamptz default now(),
  method text not null check (method in ('link', 'password', 'openId', 'invitation')),
  browser text not null,
  address text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  -- After it without a use, and at the latest at ends_at.
  expires_at timestamptz not null,
  ends_at timestamptz not null
);
create index on session (account_id, created_at, id);
create index on session (expires_at);

-- Links with which an account signs in once. Using one deletes its row.
create table sign_in_link (
  hash bytea primary key,
  account_id text not null references account on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on sign_in_link (account_id);
create index on sign_in_link (expires_at);
