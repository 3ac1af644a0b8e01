-- When a provider or the operator proved the address of the account; null while it is merely claimed.
alter table account add column email_verified_at timestamptz(3);

-- Roles that workspaces gave to an address which an account of another workspace merely claims. They count after the proof.
create table pending_member (
  workspace_id text not null references workspace on delete cascade,
  account_id text not null references account on delete cascade,
  role text not null,
  granted_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, account_id)
);
create index on pending_member (account_id);
create index on pending_member (workspace_id, created_at, account_id);

-- The setup created the first owner of the installation, and a provider has verified the addresses of accounts with an identity there.
-- safe: an installation has few accounts, and servers rarely write them
update account set email_verified_at = now() where exists (select from account_identity known where known.account_id = account.id)
  or id = (select account_id from workspace_member where workspace_id = '11111111-1111-1111-aaaa-111111111111' and role = 'owner'
    and granted_by is null order by created_at, account_id limit 1);
