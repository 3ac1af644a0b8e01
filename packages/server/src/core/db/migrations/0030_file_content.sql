-- The tags of files, a row each, so that which there are can be listed without reading the files. A tag and a value may be longer than an index has room
-- for: they stand there by how they begin and by their hash (tag_key, migration 0012).
create table file_tag (
  bot_id text not null,
  file_id text not null,
  tag text collate "C" not null,
  tag_key bytea not null,
  value text collate "C" not null,
  value_key bytea not null,
  primary key (bot_id, file_id, tag_key),
  foreign key (bot_id, file_id) references file on delete cascade
);
create index on file_tag (bot_id, left(tag, 200), tag_key);
create index on file_tag (bot_id, tag_key, left(value, 200), value_key);

-- Its plans are kept, and may have been made while the table was empty: it goes by the key, whatever the statistics say.
create function keep_file_tags() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_op = 'UPDATE' then
    delete from file_tag where bot_id = old.bot_id and file_id = old.id;
  end if;
  insert into file_tag (bot_id, file_id, tag, tag_key, value, value_key)
  select new.bot_id, new.id, t.key, tag_key(t.key), t.value, tag_key(t.value) from jsonb_each_text(new.tags) t;
  return null;
end
$$;
create trigger tags_given after insert on file for each row when (new.tags <> '{}') execute function keep_file_tags();
create trigger tags_changed after update of tags on file for each row when (old.tags <> new.tags) execute function keep_file_tags();

insert into file_tag (bot_id, file_id, tag, tag_key, value, value_key)
select f.bot_id, f.id, t.key, tag_key(t.key), t.value, tag_key(t.value) from file f cross join lateral jsonb_each_text(f.tags) t;

-- A listing in any order goes by an index.
create index on file (bot_id, key, id);
create index on file (bot_id, updated_at, id);
create index on file (bot_id, coalesce(size, -1::bigint), id);
create index on file (bot_id, status, id);

-- Until when the upload that a file awaits may begin.
alter table file add column upload_until timestamptz(3);
update file set upload_until = updated_at + interval '1 hour' where upload_id is not null;
create index on file (upload_until) where upload_until is not null;

-- What one user of the bot brought goes with them.
create index on file (bot_id, (owner ->> 'id')) where owner ->> 'type' = 'user';

-- Somebody is about to remove it: nobody gives it to a file any more.
alter table loose_blob add column going boolean not null default false;

-- Content that was replaced stays for a minute, for those who began to read it.
create or replace function let_blob_go() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.blob is distinct from new.blob then
    insert into loose_blob (name, remove_at)
    values (old.blob, date_trunc('milliseconds', now()) + case when tg_op = 'UPDATE' and new.blob is not null then interval '1 minute' else interval '0' end)
    on conflict (name) do update set remove_at = excluded.remove_at;
  end if;
  return null;
end
$$;
