-- in steps: not in one transaction

-- The status of an event that did not simply succeed: ignored, failed or canceled. Indexes on the status itself
-- would be written with every event: PostgreSQL updates a row without its indexes only as long as no indexed
-- value changes, and the condition of an index counts.
alter table event add column if not exists unusual_status text;

create or replace function keep_unusual_status() returns trigger language plpgsql as $$
begin
  update event set unusual_status = case when new.status in ('ignored', 'failed', 'canceled') then new.status end
  where bot_id = new.bot_id and id = new.id;
  return null;
end
$$;

-- After the update: a trigger before it would lock the row first, with every event.
create or replace trigger keep_unusual_status after insert or update on event for each row
when (new.unusual_status is distinct from case when new.status in ('ignored', 'failed', 'canceled') then new.status end)
execute function keep_unusual_status();

-- The trigger serves rows that are locked by a writer now.
do $$
declare
  place record;
begin
  select '' as bot_id, '' as id into place;
  loop
    with batch as (
      select bot_id, id, status from event
      where status in ('ignored', 'failed', 'canceled') and (bot_id, id) > (place.bot_id, place.id)
      order by bot_id, id limit 2000
    ),
    free as (
      select e.bot_id, e.id from batch join event e using (bot_id, id)
      where e.unusual_status is null for no key update of e skip locked
    ),
    filled as (
      update event e set unusual_status = e.status from free where e.bot_id = free.bot_id and e.id = free.id
    )
    select bot_id, id into place from batch order by bot_id desc, id desc limit 1;
    exit when not found;
    commit;
  end loop;
end
$$;

-- safe: changes only rows that were locked during the loop
update event set unusual_status = status
  where status in ('ignored', 'failed', 'canceled') and unusual_status is distinct from status;

create index concurrently if not exists event_unusual on event (bot_id, unusual_status, id desc)
  where unusual_status is not null;

create index concurrently if not exists event_of_failure on event (bot_id, id)
  where unusual_status = 'failed' and dismissed_at is null;

drop index concurrently if exists event_outcome;

drop index concurrently if exists event_failed;
