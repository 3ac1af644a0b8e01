-- in steps: not in one transaction
-- Texts have further words for searches: codes without separators, pairs of Korean syllables. Background
-- tasks add them to earlier texts: to passages (modules/files/knowledge/word-refill.ts), and to messages
-- (modules/messaging/search/filling.ts).

-- The version of a file's words, and the position after the last passage with those of the next version.
alter table file_index
  add column if not exists words_version smallint not null default 1,
  add column if not exists words_position integer not null default 0;

create index concurrently if not exists file_index_old_words on file_index (bot_id, file_id) where words_version < 2;

-- Bots with messages that have earlier words, from the message after this id on. Servers of the previous
-- version, which fill message_search_fill, do not know it.
create table if not exists message_search_refill (
  bot_id text primary key references bot on delete cascade,
  after_id text not null default ''
);

insert into message_search_refill (bot_id) select id from bot on conflict do nothing;
