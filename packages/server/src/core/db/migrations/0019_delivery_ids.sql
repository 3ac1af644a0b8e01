-- A queue is mostly empty, so a planner takes it for small when it is suddenly large, and one index on it for as good as another: all deliveries of
-- a bot were read to find one by its place. By hash, the index of ids serves nothing but ids.
drop index delivery_bot_id_id_idx;
create index delivery_id on delivery using hash (id);
