-- The workspace that gave somebody an account, until that account has its first token: as long may its administrators make one, to hand it over.
alter table account add column invited_by text;
create index on account (lower(email));

create index on workspace_member (workspace_id, created_at, account_id);

-- What tools remember for all members of a workspace.
create table workspace_preference (
  workspace_id text not null references workspace on delete cascade,
  key text not null,
  value jsonb not null,
  primary key (workspace_id, key)
);

create index on workspace (created_at desc, id desc) where profile @> '{"isPublic": true}';

-- Which members see a bot. Who leaves the workspace leaves its lists.
alter table bot add column allowlist text not null default 'ALL_WORKSPACE_USERS' check (allowlist in ('ALL_WORKSPACE_USERS', 'SELECTED_USERS'));
create table bot_allowed_member (
  bot_id text not null references bot on delete cascade,
  workspace_id text not null,
  account_id text not null,
  primary key (bot_id, account_id),
  foreign key (workspace_id, account_id) references workspace_member on delete cascade
);
create index on bot_allowed_member (workspace_id, account_id);
