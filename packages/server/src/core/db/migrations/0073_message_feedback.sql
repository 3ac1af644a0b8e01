-- The opinion of a user on a message: one per message and user.
create table message_feedback (
  bot_id text not null,
  id text not null,
  conversation_id text not null,
  message_id text not null,
  user_id text not null,
  rating text not null check (rating in ('positive', 'negative', '1', '2', '3', '4', '5')),
  comment text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (bot_id, id),
  unique (bot_id, message_id, user_id),
  foreign key (bot_id, message_id) references message on delete cascade,
  foreign key (bot_id, user_id) references "user" on delete cascade
);
create index message_feedback_by_conversation on message_feedback (bot_id, conversation_id, id);
create index message_feedback_by_rating on message_feedback (bot_id, rating, id);
create index message_feedback_by_user on message_feedback (bot_id, user_id, id);
create index message_feedback_by_time on message_feedback (bot_id, created_at, id);
