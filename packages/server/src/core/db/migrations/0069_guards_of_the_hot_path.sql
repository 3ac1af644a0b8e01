-- Each message checked two foreign keys and locked the row of its bot, 6 to 14 % of the statement that writes it.
-- The statements that write messages lock the conversation's row, so they need no check: while they run, neither
-- the conversation nor its bot can be deleted. Triggers delete the rows, as the foreign keys did. Like those, they
-- see everything that was committed before the conversation or bot was locked for its deletion. The events of a
-- deleted conversation are deleted in the same way: its deletion itself does not see those of messages in progress.

alter table message drop constraint message_bot_id_conversation_id_fkey;
alter table event drop constraint event_bot_id_fkey;

-- Plans are kept, and may have been made while the table was empty: prefer the index, whatever the statistics say.
create function delete_messages_and_events() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  delete from message where bot_id = old.bot_id and conversation_id = old.id;
  delete from event where bot_id = old.bot_id and conversation_id = old.id
    and hashtextextended(conversation_id, 0) = hashtextextended(old.id, 0);
  return null;
end
$$;
create trigger delete_messages_and_events after delete on conversation
  for each row execute function delete_messages_and_events();

-- PostgreSQL calls triggers in the order of their names. Those of foreign keys begin with RI_, so the bot's
-- conversations are deleted before, which waits for messages and their events in progress.
create function delete_events() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  delete from event where bot_id = old.id;
  return null;
end
$$;
create trigger delete_events after delete on bot for each row execute function delete_events();

-- Other events have a payload, and no lock on a conversation.
create function require_bot() returns trigger language plpgsql as $$
begin
  perform from bot where id = new.bot_id for key share;
  if not found then
    raise foreign_key_violation using message = 'the bot of the event was not found', table = 'event';
  end if;
  return null;
end
$$;
create constraint trigger require_bot after insert on event for each row when (new.payload is not null)
  execute function require_bot();
