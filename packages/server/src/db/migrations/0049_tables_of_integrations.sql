-- alias of the integration that created the table; null when the bot or a person did
alter table bot_table add column integration text;
