-- in steps: not in one transaction
-- What an event has caused, for traces. Hashes: eight bytes in place of two ids.

create index concurrently if not exists action_run_of_cause on action_run (hashtextextended(cause, 0))
  where cause is not null;

create index concurrently if not exists bot_log_of_event on bot_log (hashtextextended(event_id, 0))
  where event_id is not null;

create index concurrently if not exists event_of_cause on event (hashtextextended(cause, 0))
  where cause is not null;
