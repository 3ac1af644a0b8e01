-- Patterns that the server replaces in data of the bot: [{kind, pattern, replacement, where}].
alter table bot add column redaction jsonb;
