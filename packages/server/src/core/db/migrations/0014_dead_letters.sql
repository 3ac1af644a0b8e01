-- Dead letters that can be looked through and redelivered, and messages that a handler which is run again need not write again.

alter table delivery
  -- of a dead letter: what it is about, so that a listing reads one table
  add column type text,
  add column conversation_id text,
  -- made before it was redelivered; `attempts` counts from there
  add column earlier_attempts integer not null default 0;
update delivery d set type = v.type, conversation_id = v.conversation_id
from event v where d.dead_at is not null and d.kind = 'event' and v.bot_id = d.bot_id and v.id = d.subject_id;
update delivery d set type = m.type, conversation_id = m.conversation_id
from message m where d.dead_at is not null and d.kind = 'message' and m.bot_id = d.bot_id and m.id = d.subject_id;

-- By the time of death and then by place, which is the order of a lane's deliveries among themselves. Only the dead are in here: the living pay nothing.
drop index delivery_bot_id_dead_at_idx;
create index delivery_dead on delivery (bot_id, dead_at, lane, number) where dead_at is not null;
create index delivery_dead_conversation on delivery (bot_id, conversation_id, dead_at, lane, number) where dead_at is not null;
create index delivery_dead_type on delivery (bot_id, type, dead_at, lane, number) where dead_at is not null;
create index delivery_dead_subject on delivery (bot_id, subject_id) where dead_at is not null;

-- Where the bot said that it failed, in its own words.
alter table delivery_attempt add column stack text;

-- The last run of the bot's handler in which this message was said again, and not written again.
alter table message add column said_again text;
create index message_cause on message (bot_id, cause) where cause is not null;
