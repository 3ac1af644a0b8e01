-- A message is found by its tags within its conversation (getOrCreateMessage): third parties number their messages per conversation, so a tag
-- alone says little. Here a tag counts together with its conversation. Most messages have no tags, and pay nothing.
create index message_tags on message using gin (jsonb_set('{}'::jsonb, array[conversation_id], tags) jsonb_path_ops) where tags <> '{}'::jsonb;
