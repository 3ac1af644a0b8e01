-- When the answer to the event of a delivery was stopped: no process delivers the event again.
alter table delivery add column stopped_at timestamptz;
