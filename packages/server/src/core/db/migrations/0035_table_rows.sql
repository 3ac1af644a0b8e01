-- A text that sorts as a cell does: texts by code points (their first 64), numbers by size (their bits, the negative ones turned round),
-- false before true, moments as the texts they are. Null for what has no order. PostgreSQL puts its body into statements, where it meets the indexes.
create function cell_key(cell jsonb) returns text immutable parallel safe return
  case jsonb_typeof(cell)
    when 'string' then left(cell #>> '{}', 64)
    when 'number' then
      case when cell >= '0'::jsonb then '1' || encode(float8send(cell::float8), 'hex')
      else '0' || translate(encode(float8send(cell::float8), 'hex'), '0123456789abcdef', 'fedcba9876543210') end
    when 'boolean' then cell::text
  end;

-- What a cell equals, what it lies between, and in which order. A row is in as many of these as it has cells; columns past the twentieth
-- (of a table whose columns changed type again and again) are searched without. The hash stands for the table's id, which would be half of the index.
do $$
begin
  for i in 1..20 loop
    execute format('create index table_row_c%s on table_row (hashtext(bot_table_id), (cell_key(data -> ''c%s'') collate "C"), row_id) where data -> ''c%s'' is not null', i, i, i);
  end loop;
end
$$;
create index on table_row (hashtext(bot_table_id), created_at, row_id);
create index on table_row (hashtext(bot_table_id), updated_at, row_id);

-- All three say which table: without this the planner would take that for three conditions, and large tables for small ones.
create statistics table_row_table (dependencies) on bot_id, bot_table_id, (hashtext(bot_table_id)) from table_row;

-- Words of the searchable columns, each with the table's mark before it, so that the index of all tables is one of each.
create table table_row_terms (
  bot_id text not null,
  bot_table_id text not null,
  row_id bigint not null,
  terms tsvector not null,
  primary key (bot_id, bot_table_id, row_id),
  -- not to table_row, which would ask once for each of a million rows: who deletes rows deletes these
  foreign key (bot_id, bot_table_id) references bot_table on delete cascade
);
create index on table_row_terms using gin (terms);
