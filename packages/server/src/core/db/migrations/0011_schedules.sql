-- What is to happen later: events and messages at their time, a bot's recurring events by their cron. Each kind has an index by time that
-- holds only what waits, so that looking for what is due costs the same however much lies ahead.

-- `due_at` is there as long as the event is scheduled. The indexes go by it and not by `status`: that changes with every event, and each would pay.
alter table event
  add column due_at timestamptz(3),
  -- of the recurring event whose tick this is
  add column recurring_key text,
  add constraint event_due_while_scheduled check ((status = 'scheduled') = (due_at is not null));
create index event_due on event (due_at) where due_at is not null;
create index event_scheduled on event (bot_id, id desc) where due_at is not null;

-- A message to be written later, under an id that was given away already. It names a conversation and a user that may be gone by then.
create table scheduled_message (
  bot_id text not null references bot on delete cascade,
  id text not null,
  conversation_id text not null,
  user_id text not null,
  direction text not null check (direction in ('incoming', 'outgoing')),
  type text not null,
  payload jsonb not null,
  tags jsonb not null default '{}',
  origin text,
  cause text,
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
);
create index scheduled_message_due on scheduled_message (due_at);
create index scheduled_message_conversation on scheduled_message (bot_id, conversation_id);

-- What bots declare under recurringEvents, as the clock needs it; kept in step with the bot's definition.
create table recurring_event (
  bot_id text not null references bot on delete cascade,
  key text not null,
  type text not null,
  payload jsonb not null,
  cron text not null,
  -- null while the bot is blocked
  next_at timestamptz(3),
  -- since a tick was last handled well
  failed_attempts integer not null default 0,
  last_failure_reason text,
  primary key (bot_id, key)
);
create index recurring_event_due on recurring_event (next_at) where next_at is not null;

-- Those that were declared before anything ticked have missed their ticks, as after a time in which no server ran: they get one for all.
insert into recurring_event (bot_id, key, type, payload, cron, next_at)
select b.id, r.key, r.value ->> 'type', r.value -> 'payload', r.value #>> '{schedule,cron}', case when not b.blocked then now() end
from bot b cross join jsonb_each(coalesce(b.definition -> 'recurringEvents', '{}')) r;
