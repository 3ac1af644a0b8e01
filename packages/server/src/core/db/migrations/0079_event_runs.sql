-- The last attempt to handle an event, and the number of attempts. The statement that records the outcome
-- writes them.
alter table event add column started_at timestamptz(3), add column ms integer, add column attempts integer;
