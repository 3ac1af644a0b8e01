-- in steps: not in one transaction
-- Narrower indexes of the rows of a turn: a hash of eight bytes instead of two ids of 31. The old ones are dropped
-- last, so that servers of the previous version use them meanwhile.

create index concurrently if not exists event_message on event (hashtextextended(message_id, 0))
  where message_id is not null;

create index concurrently if not exists event_conversation on event (hashtextextended(conversation_id, 0), id)
  where conversation_id is not null;

create index concurrently if not exists message_of_cause on message (hashtextextended(cause, 0))
  where cause is not null;

drop index concurrently if exists event_bot_id_message_id_idx;

drop index concurrently if exists event_bot_id_conversation_id_id_idx;

drop index concurrently if exists message_cause;
