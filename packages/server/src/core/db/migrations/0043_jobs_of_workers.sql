-- Who has a job of a table in hand, or computes its columns, is a worker by its lease: what a dead one had is free at once, and none has a clock of its own.
alter table table_job rename column claim to worker;
-- null, or when it is tried again
alter table table_job rename column claimed_until to not_before;
alter table table_counter rename column computing_until to compute_after;
alter table table_counter add column computing_worker text;
