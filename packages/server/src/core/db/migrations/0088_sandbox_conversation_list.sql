-- in steps: not in one transaction

-- Lists the conversations of an installation in pages.
create index concurrently if not exists sandbox_conversation_listing
  on sandbox_conversation (bot_id, alias, identifier);

drop index concurrently if exists sandbox_conversation_bot_id_alias_idx;
