-- What is due, bot by bot: when more is due than is done at once, each bot gets its share, and one bot's thousands hold up no other's reminder.
create index event_due_by_bot on event (bot_id, due_at) where due_at is not null;
create index scheduled_message_due_by_bot on scheduled_message (bot_id, due_at);
