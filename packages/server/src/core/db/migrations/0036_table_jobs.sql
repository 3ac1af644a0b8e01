-- What is done to a table while nobody waits for it. One that was begun is claimed again by whoever is there when its claim runs out, and goes on from its position.
create table table_job (
  bot_id text not null,
  job_id text not null,
  bot_table_id text not null,
  type text not null,
  status text not null default 'pending',
  -- percent
  progress real not null default 0,
  -- what exactly is to be done
  task jsonb not null,
  -- how far it got, in its own counting; written together with what got it there
  position bigint not null default 0,
  warnings text[] not null default '{}',
  failure text,
  input_file_id text,
  output_file_id text,
  claim text,
  claimed_until timestamptz(3),
  -- claims since it last got further
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, job_id),
  foreign key (bot_id, bot_table_id) references bot_table on delete cascade
);
create index on table_job (bot_id, bot_table_id, job_id);
create index on table_job (created_at) where status in ('pending', 'in_progress', 'finalizing');
create index on table_job (updated_at) where status in ('completed', 'failed');
