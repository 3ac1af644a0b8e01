-- Why deployed code did not load when it was deployed. Null: it loaded, or was not tried.
alter table bot_code add column load_error text;
alter table integration_code add column load_error text;
-- The output of the call came from the cache.
alter table action_run add column cached boolean not null default false;
