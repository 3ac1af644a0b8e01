-- What is imported was said before. It is numbered downwards from zero, where no listener looks, and stands in listings by its time.
alter table conversation add column first_number bigint not null default 0;
create index message_imported on message (bot_id, conversation_id, created_at desc, number desc) where number < 0;

-- Which values a tag has, and where: each tag of each user, conversation and message once more, in an order in which it can be asked for.
-- Of the tag's name only a hash: names may be longer than a key can be. Kept by triggers, since tags also go with what they are on.
create table tag_value (
  bot_id text not null,
  kind text not null,
  key bytea not null,
  value text collate "C" not null,
  subject_id text not null,
  primary key (bot_id, kind, key, value, subject_id)
);

create function tag_key(name text) returns bytea language sql immutable parallel safe
  return substring(sha256(convert_to(name, 'UTF8')) for 16);

-- Its plans are kept, and may have been made while the table was empty: it goes by the key, whatever the statistics say.
create function note_tags() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_op <> 'INSERT' then
    delete from tag_value t using jsonb_each_text(old.tags) tag
    where t.bot_id = old.bot_id and t.kind = tg_argv[0] and t.key = tag_key(tag.key) and t.value = tag.value and t.subject_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into tag_value (bot_id, kind, key, value, subject_id)
    select new.bot_id, tg_argv[0], tag_key(tag.key), tag.value, new.id from jsonb_each_text(new.tags) tag where length(tag.value) <= 500;
  end if;
  return null;
end
$$;

-- What has no tags pays nothing.
create trigger tags_given after insert on "user" for each row when (new.tags <> '{}') execute function note_tags('user');
create trigger tags_changed after update of tags on "user" for each row when (old.tags <> new.tags) execute function note_tags('user');
create trigger tags_gone after delete on "user" for each row when (old.tags <> '{}') execute function note_tags('user');
create trigger tags_given after insert on conversation for each row when (new.tags <> '{}') execute function note_tags('conversation');
create trigger tags_changed after update of tags on conversation for each row when (old.tags <> new.tags) execute function note_tags('conversation');
create trigger tags_gone after delete on conversation for each row when (old.tags <> '{}') execute function note_tags('conversation');
create trigger tags_given after insert on message for each row when (new.tags <> '{}') execute function note_tags('message');
create trigger tags_changed after update of tags on message for each row when (old.tags <> new.tags) execute function note_tags('message');
create trigger tags_gone after delete on message for each row when (old.tags <> '{}') execute function note_tags('message');

insert into tag_value (bot_id, kind, key, value, subject_id)
select bot_id, kind, tag_key(tag.key), tag.value, id
from (
  select bot_id, 'user' as kind, id, tags from "user"
  union all select bot_id, 'conversation', id, tags from conversation
  union all select bot_id, 'message', id, tags from message
) tagged cross join lateral jsonb_each_text(tags) tag
where length(tag.value) <= 500;

-- How often a bot counted something, by the hour.
create table analytics_count (
  bot_id text not null references bot on delete cascade,
  name text collate "C" not null,
  hour timestamptz(3) not null,
  count bigint not null,
  primary key (bot_id, name, hour)
) with (fillfactor = 70);
create index on analytics_count (bot_id, hour desc, name desc);
create index on analytics_count (hour);

-- What code noted about its own work. The ids are its own words; nothing has to have them.
create table observation (
  bot_id text not null references bot on delete cascade,
  id text not null,
  given_id text,
  name text not null,
  -- alias of the integration that noted it; null when the bot did
  integration text,
  data jsonb not null,
  message_id text,
  event_id text,
  conversation_id text,
  user_id text,
  error_id text,
  trace_id text,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
);
create index on observation (bot_id, created_at desc) include (id);
create index on observation (bot_id, name, created_at desc) include (id);
create index on observation (bot_id, given_id, created_at desc) include (id) where given_id is not null;
create index on observation (bot_id, conversation_id, created_at desc) include (id) where conversation_id is not null;
create index on observation (bot_id, trace_id, created_at desc) include (id) where trace_id is not null;
create index on observation (created_at);

-- Calls of actions that reached the code behind them.
create table action_run (
  bot_id text not null references bot on delete cascade,
  id text not null,
  -- the installation's alias and the integration's name; null for an action of the bot itself
  alias text,
  integration text,
  action text not null,
  succeeded boolean not null,
  ms integer not null,
  error text,
  input jsonb not null,
  input_truncated boolean not null,
  output jsonb,
  output_truncated boolean not null,
  -- the event in whose handling it was called
  cause text,
  started_at timestamptz(3) not null,
  primary key (bot_id, id)
);
create index on action_run (bot_id, integration, started_at desc) include (id);
create index on action_run (started_at);
