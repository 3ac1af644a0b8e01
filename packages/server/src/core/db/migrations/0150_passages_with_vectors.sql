-- Passages of the file with a vector of its model: a model may not know their language. Null: all.
alter table file_index add column vectors integer;
