-- in steps: not in one transaction
-- Failed attempts of deliveries that are over, for traces: of which event or message, and since when. Rows of
-- pending deliveries and dead letters have neither and are found by their delivery.

alter table delivery_attempt add column if not exists subject_id text;

alter table delivery_attempt add column if not exists finished_at timestamptz(3);

create index concurrently if not exists delivery_attempt_finished_subject on delivery_attempt (bot_id, subject_id)
  where finished_at is not null;

create index concurrently if not exists delivery_attempt_finished_at on delivery_attempt (bot_id, finished_at)
  where finished_at is not null;
