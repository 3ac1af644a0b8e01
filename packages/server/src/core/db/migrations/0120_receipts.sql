-- How far a user has received and read a conversation, and how far the member who answers has read
-- it: the times of messages, which rise within a conversation. Null: no message yet.
alter table participant add column delivered_until timestamptz(3);
alter table participant add column read_until timestamptz(3);
alter table handoff add column read_until timestamptz(3);
