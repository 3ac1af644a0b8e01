-- in steps: not in one transaction
-- Words of users' names, together with the bot, because bots share the index.

create index concurrently if not exists user_name_words on "user"
  using gin ((to_tsvector('simple', name) || array_to_tsvector(array[bot_id]))) where name is not null;

create or replace function find_user_names(bot text, query tsquery, most int)
returns table (id text) language sql stable set enable_seqscan = off as $$
  select u.id from "user" u
  where to_tsvector('simple', u.name) || array_to_tsvector(array[u.bot_id]) @@ query
    and u.name is not null and u.bot_id || '' = bot
  limit most
$$;
