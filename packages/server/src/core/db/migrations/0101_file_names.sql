-- in steps: not in one transaction
-- Words of files' keys, together with the bot, because bots share the index.

create or replace function file_key_words(key text) returns tsvector language sql immutable parallel safe
  return to_tsvector('simple'::regconfig, translate(key, '/\._-', '     '));

create index concurrently if not exists file_key_words on file
  using gin ((file_key_words(key) || array_to_tsvector(array[bot_id])));

create or replace function find_file_keys(bot text, query tsquery, most int)
returns table (id text) language sql stable set enable_seqscan = off as $$
  select f.id from file f
  where file_key_words(f.key) || array_to_tsvector(array[f.bot_id]) @@ query and f.bot_id || '' = bot
  limit most
$$;
