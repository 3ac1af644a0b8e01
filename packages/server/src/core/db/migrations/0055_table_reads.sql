-- The text columns of tables whose patterns use an index: those that their authors marked as searchable. Triggers keep the texts, so that no write can
-- forget them. A column of a table with rows is filled in the background, and not used before.
create table table_text_column (
  bot_id text not null,
  bot_table_id text not null,
  column_id text not null,
  -- A transaction after which every write sees this row. Texts of earlier writes may be missing: filling begins when these have ended.
  since xid8,
  -- The last row that was filled; null when all are.
  filled_to bigint default 0,
  primary key (bot_id, bot_table_id, column_id),
  foreign key (bot_id, bot_table_id) references bot_table on delete cascade
);
create index on table_text_column (bot_id) where filled_to is not null;

create table table_row_text (
  bot_id text not null,
  bot_table_id text not null,
  column_id text not null,
  row_id bigint not null,
  text text not null,
  -- No reference to table_row, which would be checked once for each of a million rows.
  primary key (bot_id, bot_table_id, column_id, row_id)
);

-- Without these extensions, or where small letters are not those of English, no column is filled and patterns read all rows.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  if lower('ABCDEFGHIJKLMNOPQRSTUVWXYZ') = 'abcdefghijklmnopqrstuvwxyz' then
    create index table_row_text_trigrams on table_row_text using gin (hashtext(bot_table_id || column_id), text gin_trgm_ops);
  end if;
exception when others then
  raise notice 'pg_trgm and btree_gin are not available: %', sqlerrm;
end
$$;

create function sync_text_columns() returns trigger language plpgsql as $$
begin
  if to_regclass('table_row_text_trigrams') is null then return null; end if;
  delete from table_text_column t where t.bot_id = new.bot_id and t.bot_table_id = new.bot_table_id
    and not exists (select from jsonb_array_elements(new.columns) c where c ->> 'id' = t.column_id and c -> 'searchable' = 'true' and c ->> 'type' = 'string');
  insert into table_text_column (bot_id, bot_table_id, column_id, filled_to)
    select new.bot_id, new.bot_table_id, c ->> 'id', case tg_op when 'UPDATE' then 0 end
    from jsonb_array_elements(new.columns) c where c -> 'searchable' = 'true' and c ->> 'type' = 'string'
    on conflict do nothing;
  return null;
end
$$;
create trigger sync_text_columns_of_new after insert on bot_table for each row execute function sync_text_columns();
create trigger sync_text_columns after update of columns on bot_table for each row
  when (new.columns is distinct from old.columns) execute function sync_text_columns();

create function remove_texts() returns trigger language plpgsql as $$
begin
  delete from table_row_text where bot_id = old.bot_id and bot_table_id = old.bot_table_id and column_id = old.column_id;
  return null;
end
$$;
create trigger remove_texts after delete on table_text_column for each row execute function remove_texts();

-- Loops, so that the many tables without such columns cost one look into an index each.
create function keep_texts() returns trigger language plpgsql as $$
declare
  col record;
begin
  for col in select t.* from (select distinct bot_id, bot_table_id from changed) c join lateral (
      select * from table_text_column t where t.bot_id = c.bot_id and t.bot_table_id = c.bot_table_id offset 0) t on true loop
    insert into table_row_text as t (bot_id, bot_table_id, column_id, row_id, text)
      select c.bot_id, c.bot_table_id, col.column_id, c.row_id, c.data ->> col.column_id from changed c
      where c.bot_id = col.bot_id and c.bot_table_id = col.bot_table_id and jsonb_typeof(c.data -> col.column_id) = 'string'
      on conflict (bot_id, bot_table_id, column_id, row_id) do update set text = excluded.text where t.text <> excluded.text;
    if tg_op = 'UPDATE' then
      delete from table_row_text t using changed c
        where c.bot_id = col.bot_id and c.bot_table_id = col.bot_table_id and jsonb_typeof(c.data -> col.column_id) is distinct from 'string'
          and t.bot_id = c.bot_id and t.bot_table_id = c.bot_table_id and t.column_id = col.column_id and t.row_id = c.row_id;
    end if;
  end loop;
  return null;
end
$$;
create trigger keep_texts_of_new after insert on table_row referencing new table as changed for each statement execute function keep_texts();
create trigger keep_texts after update on table_row referencing new table as changed for each statement execute function keep_texts();

create function remove_row_texts() returns trigger language plpgsql as $$
declare
  col record;
begin
  for col in select t.* from (select distinct bot_id, bot_table_id from changed) c join lateral (
      select * from table_text_column t where t.bot_id = c.bot_id and t.bot_table_id = c.bot_table_id offset 0) t on true loop
    delete from table_row_text t using changed c
      where c.bot_id = col.bot_id and c.bot_table_id = col.bot_table_id
        and t.bot_id = c.bot_id and t.bot_table_id = c.bot_table_id and t.column_id = col.column_id and t.row_id = c.row_id;
  end loop;
  return null;
end
$$;
create trigger remove_row_texts after delete on table_row referencing old table as changed for each statement execute function remove_row_texts();

insert into table_text_column (bot_id, bot_table_id, column_id)
  select t.bot_id, t.bot_table_id, c ->> 'id' from bot_table t, jsonb_array_elements(t.columns) c
  where c -> 'searchable' = 'true' and c ->> 'type' = 'string' and to_regclass('table_row_text_trigrams') is not null;

-- The same texts as before. PostgreSQL put the body of the SQL function into the expressions of 20 indexes and statistics, which it read again for each
-- query: planning took 1 ms, now 0.3.
create or replace function cell_key(cell jsonb) returns text immutable parallel safe cost 10 language plpgsql as $$
declare
  bits text;
begin
  case jsonb_typeof(cell)
    when 'string' then return left(cell #>> '{}', 64);
    when 'number' then
      bits := encode(float8send(cell::float8), 'hex');
      if bits < '8' then return '1' || bits; end if;
      return '0' || translate(bits, '0123456789abcdef', 'fedcba9876543210');
    when 'boolean' then return cell::text;
    else return null;
  end case;
end
$$;
-- Makes sessions of running servers read the expressions of the indexes again.
do $$
begin
  for i in 1..20 loop
    execute format('alter index table_row_c%s reset (fillfactor)', i);
  end loop;
end
$$;
