-- Who changed what. A chain is a workspace's, or an account's for what is about no workspace; there is no foreign key, since a record outlives what
-- it is about. Each record's hash covers it and the one before (audit/chain.ts).
create table audit_record (
  chain text not null,
  number bigint not null,
  at timestamptz(3) not null,
  account_id text,
  token_id text,
  ip text not null,
  operation text not null,
  action text not null,
  target_id text,
  target_name text,
  result text not null check (result in ('done', 'refused', 'failed')),
  hash bytea not null,
  primary key (chain, number)
);

-- The last record of each chain: whoever writes the next one locks it, so that chains do not fork.
create table audit_chain (
  chain text primary key,
  number bigint not null,
  hash bytea not null
);

create function keep_audit_record() returns trigger language plpgsql as $$
begin
  -- Only with its workspace does a chain go, whole: audit/trail.ts says so for the transaction.
  if tg_op = 'DELETE' and old.chain = current_setting('botstead.erased_chain', true) then
    return old;
  end if;
  raise exception 'audit records are neither changed nor deleted';
end
$$;
create trigger keep_audit_record before update or delete on audit_record for each row execute function keep_audit_record();
create trigger keep_audit_records before truncate on audit_record for each statement execute function keep_audit_record();

-- Who was let in by a workspace that is gone is nobody's to hand over.
update account set invited_by = null where not exists (select from workspace where id = invited_by);
alter table account add foreign key (invited_by) references workspace on delete set null;
create index on account (invited_by) where invited_by is not null;
