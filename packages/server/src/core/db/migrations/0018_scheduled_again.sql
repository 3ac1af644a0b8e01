-- As message.said_again: the last run of a handler that has said this, so that a run that repeats another schedules nothing twice.
alter table scheduled_message add column said_again text;
