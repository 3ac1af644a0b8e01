-- What is counted as it happens, by day: calls of code, and what actions say that they cost. It stays with the workspace when its bot goes.
create table usage_count (
  workspace_id text not null references workspace on delete cascade,
  type text not null,
  day date not null,
  bot_id text not null,
  value double precision not null,
  primary key (workspace_id, type, day, bot_id)
) with (fillfactor = 70);
create index on usage_count (day);
