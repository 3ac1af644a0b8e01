-- in steps: not in one transaction
-- Indexes of listings that read all rows of a bot. Rows of a turn are in few of them: an event of a message has
-- the type message_created, and its status becomes `processed`.

create index concurrently if not exists event_type on event (bot_id, type, id desc) where type <> 'message_created';

-- Events of an integration have types like `alias:type`.
create index concurrently if not exists event_integration on event (bot_id, split_part(type, ':', 1), id desc)
  where strpos(type, ':') > 0;

create index concurrently if not exists event_outcome on event (bot_id, status, id desc)
  where status in ('ignored', 'failed', 'canceled');

-- Hashes: eight bytes instead of two ids. The planner prefers the primary key for a user with a large share of a
-- bot's events.
create index concurrently if not exists event_user on event (hashtextextended(user_id, 0))
  where user_id is not null;

-- Times rise with the position in the table, so the times of a range of pages are enough. New rows add nothing to
-- it.
create index concurrently if not exists message_time on message using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);

create index concurrently if not exists conversation_integration on conversation (bot_id, integration, created_at desc);

create index concurrently if not exists conversation_channel on conversation (bot_id, channel, created_at desc);

create index concurrently if not exists user_integration on "user" (bot_id, integration, created_at desc);

create index concurrently if not exists user_updated on "user" (bot_id, updated_at desc, id desc);

create index concurrently if not exists workflow_integration on workflow (bot_id, integration, id desc)
  where integration is not null;

create index concurrently if not exists file_indexed on file (bot_id, created_at desc, id desc) where index;

create index concurrently if not exists bot_updated on bot (workspace_id, updated_at desc, id desc);

create index concurrently if not exists bot_dev on bot (workspace_id, created_at desc, id desc) where dev;

create index concurrently if not exists bot_tags on bot using gin (tags jsonb_path_ops);

-- Ten minutes that contain updated_at. An index on updated_at itself would be written with every message:
-- PostgreSQL updates a row without its indexes only as long as no indexed value changes.
alter table conversation add column if not exists updated_slot timestamptz(3);

alter table conversation alter column updated_slot
  set default date_bin('10 minutes', now(), timestamptz '2000-01-01 00:00:00+00');

create or replace function keep_updated_slot() returns trigger language plpgsql as $$
begin
  update conversation set updated_slot = date_bin('10 minutes', new.updated_at, timestamptz '2000-01-01 00:00:00+00')
  where bot_id = new.bot_id and id = new.id;
  return null;
end
$$;

-- After the update: a trigger before it would lock the row first, with every message.
create or replace trigger keep_updated_slot after insert or update on conversation for each row
when (new.updated_slot is distinct from date_bin('10 minutes', new.updated_at, timestamptz '2000-01-01 00:00:00+00'))
execute function keep_updated_slot();

-- The trigger serves rows that are locked by a writer now.
do $$
declare
  place record;
begin
  select '' as bot_id, '' as id into place;
  loop
    with batch as (
      select bot_id, id from conversation where (bot_id, id) > (place.bot_id, place.id) order by bot_id, id limit 2000
    ),
    free as (
      select c.bot_id, c.id from batch join conversation c using (bot_id, id) where c.updated_slot is null for no key update of c skip locked
    ),
    filled as (
      update conversation c set updated_slot = date_bin('10 minutes', c.updated_at, timestamptz '2000-01-01 00:00:00+00')
      from free where c.bot_id = free.bot_id and c.id = free.id
    )
    select bot_id, id into place from batch order by bot_id desc, id desc limit 1;
    exit when not found;
    commit;
  end loop;
end
$$;

update conversation set updated_slot = date_bin('10 minutes', updated_at, timestamptz '2000-01-01 00:00:00+00')
  where updated_slot is null;

create index concurrently if not exists conversation_updated on conversation (bot_id, updated_slot desc);
