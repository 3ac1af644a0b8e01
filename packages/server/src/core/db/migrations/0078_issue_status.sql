-- in steps: not in one transaction
-- Issues that a person has resolved or muted. A resolved issue that is seen again becomes open.

alter table issue add column if not exists status text not null default 'open';

alter table issue drop constraint if exists issue_status_check;

alter table issue add constraint issue_status_check check (status in ('open', 'resolved', 'muted')) not valid;

alter table issue validate constraint issue_status_check;

alter table issue add column if not exists status_changed_at timestamptz(3);

create index concurrently if not exists issue_of_status on issue (bot_id, status, last_seen_at desc, id desc);
