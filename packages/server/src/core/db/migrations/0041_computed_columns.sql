-- Until when a process computes the columns of this table.
alter table table_counter add column computing_until timestamptz(3);

create index bot_table_computed on bot_table (bot_id, bot_table_id) where compute_enabled and columns @? '$[*].computed';
