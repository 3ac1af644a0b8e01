-- Settings of the installation that its operator makes in the dashboard (features/server-settings).
create table server_setting (
  name text primary key check (name in ('address', 'model', 'embeddings', 'backups', 'mail')),
  value jsonb not null,
  -- The key or password, encrypted; null without one.
  secret bytea,
  updated_at timestamptz(3) not null default now()
);

-- E-mails of the server to people.
create table outgoing_mail (
  id text primary key,
  -- Its subject: a notice is written once by several servers, invitations of a day are counted.
  key text not null unique,
  recipient text not null,
  -- Subject and text, encrypted; null when the e-mail is sent.
  content bytea,
  attempts integer not null default 0,
  -- Null: sent, or given up.
  due_at timestamptz(3) default now(),
  failure text,
  created_at timestamptz(3) not null default now()
);
