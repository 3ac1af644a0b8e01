-- in steps: not in one transaction
-- An index of the vectors of a large bot: lists of vectors that are near the same centroid, so that a search
-- reads some of the lists (features/knowledge/search/vector-indexes.ts).
create table if not exists vector_index (
  bot_id text not null references bot on delete cascade,
  id uuid not null,
  model text not null,
  dimensions integer not null,
  -- the number of vectors when it was made
  vectors integer not null,
  -- of length 1, one for each list; 32-bit floats, the least significant byte first
  centroids bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
);

create table if not exists vector_index_entry (
  bot_id text not null,
  file_id text not null,
  position integer not null,
  vector_index uuid not null,
  -- the number of its centroid, from 0
  list integer not null,
  -- as in passage_vector
  signs bit varying not null,
  primary key (bot_id, file_id, position),
  foreign key (bot_id, file_id) references file_index on delete cascade,
  foreign key (bot_id, vector_index) references vector_index on delete cascade
);

-- A search reads this index alone, not the table.
create index if not exists vector_index_entry_list on vector_index_entry (bot_id, vector_index, list)
  include (file_id, position, signs);

-- The index with all vectors of the file. Null: the file has had no vectors. Zero: its vectors are in no index. So
-- it is for present files, and for those that servers of the previous version index.
alter table file_index add column if not exists vector_index uuid default '00000000-0000-0000-0000-000000000000';

create index concurrently if not exists file_index_vector_index on file_index (bot_id, vector_index)
  where vector_index is not null;
