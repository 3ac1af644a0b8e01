-- Null for a bot without rules.
alter table bot add column handoff_rules jsonb;
create index handoff_requested on handoff (bot_id, requested_at);
