create table bot_table (
  bot_id text not null references bot on delete cascade,
  bot_table_id text not null,
  name text not null,
  factor double precision not null default 1,
  frozen boolean not null default false,
  compute_enabled boolean not null default true,
  -- as the author wrote it: json, not jsonb, which would put the names in another order
  schema json not null,
  -- what we make of it: [{id, name, type, …}]. A row's values go by these ids: a renamed column keeps its own, one whose type changes gets a new one,
  -- and none comes again (next_column).
  columns jsonb not null,
  next_column integer not null,
  -- id of the column whose values are unique
  key_column text,
  tags jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, bot_table_id),
  unique (bot_id, name)
);

-- Apart from bot_table, so that writing rows rewrites no schema. Who adds or removes rows locks it before any row: two who do so wait for each other only here.
create table table_counter (
  bot_id text not null,
  bot_table_id text not null,
  last_row_id bigint not null default 0,
  row_count bigint not null default 0,
  primary key (bot_id, bot_table_id),
  foreign key (bot_id, bot_table_id) references bot_table on delete cascade
) with (fillfactor = 50);

create table table_row (
  bot_id text not null,
  bot_table_id text not null,
  -- counts from 1 in each table, and none comes again
  row_id bigint not null,
  -- column id → value; what is null is absent
  data jsonb not null,
  -- column id → {status, error?, updatedBy?, updatedAt?}
  computed jsonb not null default '{}',
  -- ids of computed columns whose value does not follow from the others any more
  stale text[] not null default '{}',
  -- data ->> the key column; null where the row has none
  key_value text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, bot_table_id, row_id),
  unique (bot_id, bot_table_id, key_value),
  foreign key (bot_id, bot_table_id) references bot_table on delete cascade
);
create index on table_row (bot_id, bot_table_id, row_id) where stale <> '{}';

-- Triggers, since rows also go with their table and their bot, and a count that is wrong once stays wrong.
create function count_added_rows() returns trigger language plpgsql as $$
begin
  update table_counter c set row_count = row_count + n.count
  from (select bot_id, bot_table_id, count(*) as count from changed group by 1, 2) n
  where c.bot_id = n.bot_id and c.bot_table_id = n.bot_table_id;
  return null;
end
$$;
create function count_removed_rows() returns trigger language plpgsql as $$
begin
  update table_counter c set row_count = row_count - n.count
  from (select bot_id, bot_table_id, count(*) as count from changed group by 1, 2) n
  where c.bot_id = n.bot_id and c.bot_table_id = n.bot_table_id;
  return null;
end
$$;
create trigger count_added_rows after insert on table_row referencing new table as changed for each statement execute function count_added_rows();
create trigger count_removed_rows after delete on table_row referencing old table as changed for each statement execute function count_removed_rows();
