-- Moves of workspaces between installations (modules/moves).

-- A workspace that leaves, or has left and whose requests this installation forwards.
create table workspace_move (
  workspace_id text primary key references workspace on delete cascade,
  id text not null unique,
  target_url text not null,
  -- The operator's token there and the passphrase of the archives, as encrypted JSON.
  secret bytea not null,
  state text not null check (state in ('requested', 'copying', 'following', 'pausing', 'stopped', 'deciding', 'moved',
    'ending', 'cancelling', 'cancelled')),
  -- Triggers reject writes to the workspace.
  is_stopped boolean not null default false,
  -- The operator has requested to cancel the move.
  cancel boolean not null default false,
  -- The number of the last transfer of changes.
  pass integer not null default 0,
  -- The number of the transfer that was read while writes were stopped: the one that the target must have.
  final_pass integer,
  -- Progress, or the reason of a failure, for the operator.
  note text not null default '',
  -- How long writes were stopped, in milliseconds.
  stopped_ms integer,
  stopped_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Keys of rows that have changed since the copy.
create table move_change (
  move_id text not null references workspace_move (id) on delete cascade,
  name text not null,
  key jsonb not null,
  xid xid8 not null default pg_current_xact_id()
);
create index on move_change (move_id, name);

-- Servers that have ended the deliveries of a workspace.
create table move_pause (
  move_id text not null references workspace_move (id) on delete cascade,
  worker_id text not null,
  primary key (move_id, worker_id)
);

-- A workspace that arrives. The row stays until the workspace is deleted, so that a repeated request gets the same
-- answer.
create table workspace_arrival (
  workspace_id text primary key,
  move_id text not null,
  state text not null default 'arriving' check (state in ('arriving', 'live')),
  -- The number of the last applied transfer of changes; -1 before the copy.
  pass integer not null default -1,
  created_at timestamptz not null default now()
);

-- Names of file contents: there and here.
create table arrival_blob (
  workspace_id text not null references workspace_arrival on delete cascade,
  there text not null,
  here text not null,
  primary key (workspace_id, there)
);

-- Bots for which no server of this installation does work: they are leaving, have left or are arriving.
create table resting_bot (
  bot_id text primary key,
  workspace_id text not null
);

-- Keys with which another installation signed what this one must accept: keys of chat users and URLs of files.
create table carried_key (
  bot_id text not null references bot on delete cascade,
  kind text not null check (kind in ('user_keys', 'content')),
  -- The webhook of a chat, or the installation that signed URLs.
  name text not null,
  secret bytea not null,
  valid_until timestamptz,
  primary key (bot_id, kind, name)
);

-- Called by triggers on the tables of a workspace that leaves. The lock makes the stop wait for transactions that
-- have passed this check. Each statement in here reads what is committed now.
create function reject_moved(move text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7236111, hashtext(move));
  if current_setting('botstead.moving', true) is distinct from 'on'
      and exists (select from workspace_move m where m.id = move and m.is_stopped) then
    raise exception 'The workspace has moved to another installation' using errcode = 'PM001';
  end if;
end
$$;
