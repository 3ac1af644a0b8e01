-- Null: each message is a turn.
alter table bot add column burst_rules jsonb;
-- The later event that brings this message to the bot, too.
alter table event add column joined_to text;
