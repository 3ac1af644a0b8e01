create table file (
  bot_id text not null references bot on delete cascade,
  id text not null,
  -- alias of the integration that made it; null when the bot or a person did. Each has keys of its own.
  integration text,
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
  -- the upload that may give it (new) content; null once it did
  upload_id text,
  -- where the content lies (blobs/); null until it was uploaded
  blob text,
  checksum text,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, id),
  unique nulls not distinct (bot_id, integration, key)
);
create index on file (bot_id, created_at desc) include (id);
create index on file (expires_at) where expires_at is not null;

-- Content that no file holds: while it arrives, and after its file let it go. A row here outlives a crash, so that nothing stays on the disk for ever.
create table loose_blob (
  name text primary key,
  remove_at timestamptz(3) not null
);
create index on loose_blob (remove_at);

-- A trigger, because files also vanish with their bot.
create function let_blob_go() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.blob is distinct from new.blob then
    insert into loose_blob (name, remove_at) values (old.blob, date_trunc('milliseconds', now())) on conflict (name) do update set remove_at = excluded.remove_at;
  end if;
  return null;
end
$$;
create trigger let_blob_go after delete or update on file for each row when (old.blob is not null) execute function let_blob_go();
