-- The last request to a channel without the right signature: apart from other errors, because only a message with
-- the right one ends it.
alter table channel_activity add column forged_at timestamptz(3), add column forged text;
