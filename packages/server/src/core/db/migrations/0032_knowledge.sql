-- How a file is to be indexed, and who has it in hand. A file with the status indexing_pending is a job: no other row can be lost or left behind.
alter table file
  add column indexing jsonb,
  add column indexing_worker text,
  add column indexing_attempts integer not null default 0,
  -- not before
  add column indexing_after timestamptz(3);
create index file_to_index on file (bot_id, updated_at) where status = 'indexing_pending';

-- What was made of a file's content.
create table file_index (
  bot_id text not null,
  file_id text not null,
  -- of which content and how: the same again needs no new index. Null when somebody gave the passages.
  checksum text,
  configuration jsonb,
  -- a configuration of PostgreSQL's text search
  language text not null,
  passages integer not null,
  tokens integer not null,
  -- what passages, words and vectors take
  bytes bigint not null default 0,
  -- the model by which its passages have vectors; when that is to be tried next, how often it failed, and who is at it
  model text,
  embed_at timestamptz(3),
  embed_attempts integer not null default 0,
  embed_worker text,
  primary key (bot_id, file_id),
  foreign key (bot_id, file_id) references file (bot_id, id) on delete cascade
);
create index on file_index (bot_id, language) include (passages, tokens);
create index on file_index (bot_id, embed_at) where embed_at is not null;

create table passage (
  bot_id text not null,
  file_id text not null,
  position integer not null,
  id uuid not null,
  subtype text not null,
  page integer,
  -- the headings it stands under, outermost first, without those that it begins with
  headings text[] not null default '{}',
  content text not null,
  tokens integer not null,
  -- stems, those of headings with the weight A; and one that only this bot's passages have, since the index is everybody's
  words tsvector not null,
  primary key (bot_id, file_id, position),
  foreign key (bot_id, file_id) references file_index on delete cascade
);
create index on passage using gin (words);

create table passage_vector (
  bot_id text not null,
  file_id text not null,
  position integer not null,
  model text not null,
  -- the sign of each dimension: what is far away is told from that alone
  signs bit varying not null,
  -- of length 1; 32-bit floats, the least significant byte first
  vector bytea not null,
  primary key (bot_id, file_id, position),
  foreign key (bot_id, file_id, position) references passage on delete cascade
);

-- The words of a file, in which a misspelt one is looked for.
create table file_word (
  bot_id text not null,
  file_id text not null,
  word text not null,
  primary key (bot_id, file_id, word),
  foreign key (bot_id, file_id) references file_index on delete cascade
);

-- Where the server does not offer the extension, or it is not ours to install, misspelt words find nothing.
create function similar_words(bot text, misspelt text) returns table (word text, similarity real) language sql stable as 'select null::text, null::real where false';
do $$
begin
  create extension if not exists pg_trgm;
  create index on file_word using gin (word gin_trgm_ops);
  create or replace function similar_words(bot text, misspelt text) returns table (word text, similarity real) language sql stable as
    'select w.word, max(similarity(w.word, misspelt)) from file_word w where w.word % misspelt and w.bot_id = bot group by w.word order by 2 desc, 1 limit 3';
exception when others then
  raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;

-- A trigger, so that no way by which a file comes to its content can forget it.
create function queue_indexing() returns trigger language plpgsql as $$
begin
  if not new.index then
    delete from file_index where bot_id = new.bot_id and file_id = new.id;
  elsif exists (
    select from file_index i
    where i.bot_id = new.bot_id and i.file_id = new.id and i.checksum = new.checksum and i.configuration is not distinct from new.indexing
  ) then
    new.status := 'indexing_completed';
  else
    new.status := 'indexing_pending';
    new.indexing_worker := null;
    new.indexing_attempts := 0;
    new.indexing_after := null;
  end if;
  return new;
end
$$;
create trigger queue_indexing_of_new before insert on file for each row when (new.blob is not null) execute function queue_indexing();
create trigger queue_indexing before update on file for each row
  when (new.blob is not null and new.blob is distinct from old.blob) execute function queue_indexing();

-- What was uploaded to be indexed before there was an index.
update file set status = 'indexing_pending' where index and blob is not null and upload_id is null;

create table knowledge_base (
  bot_id text not null references bot on delete cascade,
  id text not null,
  -- alias of the integration that made it; null when the bot or a person did
  integration text,
  name text not null,
  tags jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, id)
);
create index on knowledge_base (bot_id, created_at desc, id desc);
