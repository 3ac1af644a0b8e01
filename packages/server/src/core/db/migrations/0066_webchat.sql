-- What webchat users send about themselves. Bots read it by the action `getUserData`.
alter table "user" add column data jsonb;
alter table "user" add column attributes jsonb;

-- When a webchat reported the start of the conversation, which it does on every connection.
alter table conversation add column started_at timestamptz;
