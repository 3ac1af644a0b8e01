-- Whether a deployment stored the version, and no person has named it since. The server deletes the oldest of these.
alter table bot_version add column automatic boolean not null default false;
