create table file (
  bot_id text not null references bot on delete cascade,
  id text not null,
  key text not null,
  content_type text not null,
  size bigint,
  status text not null,
  status_reason text,
  owner jsonb not null,
  tags jsonb not null default '{}',
  metadata jsonb not null default '{}',
  access_policies text[] not null default '{}',
  index boolean not null default false,
  -- where the content lies (blobs/); null until it was uploaded
  blob text,
  checksum text,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, id),
  unique (bot_id, key)
);
create index on file (bot_id, created_at desc, id desc);
create index on file (expires_at) where expires_at is not null;
