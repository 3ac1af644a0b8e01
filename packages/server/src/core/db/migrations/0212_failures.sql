-- in steps: not in one transaction

-- When a person discarded the failure of the event, which then is in no list of failures.
alter table event add column if not exists dismissed_at timestamptz(3);

-- The list of failures: failed events, deliveries of messages and changes that failed, and deliveries that are retried.
create index concurrently if not exists event_failed on event (bot_id, id)
  where status = 'failed' and dismissed_at is null;

create index concurrently if not exists delivery_failed on delivery (bot_id, id)
  where dead_at is not null and kind <> 'event';

create index concurrently if not exists delivery_retried on delivery (bot_id, id)
  where dead_at is null and attempts > 0;
