-- Why deployed code did not load when it was deployed. Null: it loaded, or was not tried.
alter table bot_code add column load_error text;
alter table integration_code add column load_error text;
