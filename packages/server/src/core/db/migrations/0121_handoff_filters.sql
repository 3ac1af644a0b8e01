-- in steps: not in one transaction

-- Filters of the inbox. Closed handoffs of a member, handoffs of a source, and those with a tag.
create index concurrently if not exists handoff_closed_by_person
  on handoff (bot_id, assigned_to, id) where closed_at is not null and assigned_to is not null;

create index concurrently if not exists handoff_by_source on handoff (bot_id, source, id);

create index concurrently if not exists handoff_tags
  on handoff using gin (jsonb_set('{}', array[bot_id], tags) jsonb_path_ops) where tags <> '{}';
