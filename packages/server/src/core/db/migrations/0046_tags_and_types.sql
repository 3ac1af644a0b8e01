-- Finds a scheduled message of a bot by its tags, in whichever conversation.
create index scheduled_message_tags on scheduled_message
  using gin (jsonb_set('{}'::jsonb, array[bot_id], tags) jsonb_path_ops) where tags <> '{}'::jsonb;

-- Completed changes, as official clients list them, however many attempts were rejected.
create index audit_record_done on audit_record (chain, number) where result = 'done';

-- With what a bot was made, as newer clients say.
alter table bot add column type text not null default 'studio' check (type in ('studio', 'adk', 'desk'));

-- Which bots have a package of this name.
create index integration_name on integration (name);
create index plugin_name on plugin (name);
