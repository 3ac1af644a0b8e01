-- Rows of tables are found by the words of messages and knowledge: codes in any spelling, plain letters. A
-- background task rebuilds the terms of earlier rows (modules/tables/words.ts). Servers of the previous
-- version do not know this table.
create table table_terms_refill (
  bot_id text not null,
  bot_table_id text not null,
  -- The last row with new terms.
  after_row bigint not null default 0,
  primary key (bot_id, bot_table_id),
  foreign key (bot_id, bot_table_id) references bot_table on delete cascade
);

insert into table_terms_refill (bot_id, bot_table_id) select bot_id, bot_table_id from bot_table;
