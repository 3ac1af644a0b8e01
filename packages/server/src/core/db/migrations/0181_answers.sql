-- in steps: not in one transaction
-- Passages know where their text begins below the headings, and are made anew: rows of tables, questions with
-- their answers. A background task reads stored files again (features/knowledge/search/word-refill.ts).
alter table passage add column if not exists body_start integer not null default 0;

create index concurrently if not exists file_index_old_passages on file_index (bot_id, file_id) where words_version < 3;
