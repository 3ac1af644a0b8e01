-- Passwords, second factors, identities at other servers, and invitations.

create table account_password (
  account_id text primary key references account on delete cascade,
  -- scrypt with its parameters and salt.
  hash text not null,
  changed_at timestamptz not null default now()
);

-- Attempts to sign in, by e-mail address and by network.
create table sign_in_attempt (
  subject text primary key,
  -- Since the last success.
  count integer not null,
  last_at timestamptz not null default now(),
  locked_until timestamptz
);
create index on sign_in_attempt (last_at);

-- Codes of an authenticator app (TOTP).
create table account_totp (
  account_id text primary key references account on delete cascade,
  -- Encrypted.
  secret bytea not null,
  -- Null until the first code.
  confirmed_at timestamptz,
  -- Number of the last period of 30 seconds whose code was used.
  last_step bigint not null default 0
);

-- Each stands for a code of the app once. Using one deletes its row.
create table recovery_code (
  account_id text not null references account_totp on delete cascade,
  hash bytea not null,
  primary key (account_id, hash)
);

-- Accounts at an OpenID Connect provider.
create table account_identity (
  issuer text not null,
  subject text not null,
  account_id text not null references account on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index on account_identity (account_id);

-- Links by which people become members of a workspace.
create table invitation (
  id text primary key,
  workspace_id text not null references workspace on delete cascade,
  hash bytea not null unique,
  -- In lower case.
  email text not null,
  role text not null
    check (role in ('viewer', 'billing', 'developer', 'manager', 'administrator', 'owner')),
  invited_by text not null references account on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (workspace_id, email)
);
create index on invitation (workspace_id, created_at, id);
create index on invitation (invited_by);
