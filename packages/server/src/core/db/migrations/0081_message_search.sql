-- in steps: not in one transaction
-- Words of messages, for the search of conversations (modules/messaging/search). A background task writes
-- them, so that writing a message needs no further statement. They are deleted with their message.

create table if not exists message_search (
  bot_id text not null,
  conversation_id text not null,
  number bigint not null,
  -- Each begins with a hash of the bot: bots share the index.
  words tsvector not null,
  primary key (bot_id, conversation_id, number),
  foreign key (bot_id, conversation_id, number) references message (bot_id, conversation_id, number)
    on delete cascade
);

create index if not exists message_search_words on message_search using gin (words);

-- At most one row, unless the search is off. Messages created after this time may have no words yet.
create table if not exists message_search_progress (
  only_row boolean primary key default true check (only_row),
  from_time timestamptz(3) not null
);

-- Bots with messages from before the search, or from an archive, that have no words yet: up to this
-- message's id they have.
create table if not exists message_search_fill (
  bot_id text primary key references bot on delete cascade,
  after_id text not null default ''
);

create or replace function fill_message_search() returns trigger language plpgsql as $$
begin
  insert into message_search_fill (bot_id) values (new.id);
  return null;
end
$$;

create or replace trigger fill_message_search after insert on bot
  for each row execute function fill_message_search();

insert into message_search_fill (bot_id) select id from bot on conflict do nothing;

-- The planner may prefer to read the table in its order when many messages have a word. The time would then
-- depend on the messages of other bots.
create or replace function find_message_words(bot text, query tsquery, most int)
returns table (conversation_id text, number bigint, matches bigint) language sql stable
set enable_seqscan = off as $$
  select m.conversation_id, max(m.number), count(*) from (
    select s.conversation_id, s.number from message_search s
    where s.words @@ query and s.bot_id || '' = bot limit most
  ) m group by m.conversation_id
$$;

-- Conversations with an issue.
create index concurrently if not exists issue_event_conversation
  on issue_event (bot_id, (data -> 'conversationId' ->> 'raw')) where data ? 'conversationId';
