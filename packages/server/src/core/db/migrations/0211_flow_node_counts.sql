-- How many conversations passed the nodes of flows in a day (UTC), and ended there (features/insights).
create table flow_node_day (
  bot_id text not null references bot on delete cascade,
  flow text not null,
  node text not null,
  day date not null,
  passed integer not null,
  ended integer not null,
  primary key (bot_id, flow, node, day)
);
create index flow_node_day_of_bot on flow_node_day (bot_id, day);

-- The counted nodes of a conversation in a day. Deleted when all traces of the day are counted.
create table flow_conversation_day (
  bot_id text not null references bot on delete cascade,
  conversation_id text not null,
  day date not null,
  -- Each as flow/node.
  nodes text[] not null,
  last_node text,
  primary key (bot_id, conversation_id, day)
);
create index flow_conversation_day_day on flow_conversation_day (day);

-- The trace that was counted last.
create table flow_progress (
  bot_id text primary key references bot on delete cascade,
  through timestamptz(3) not null,
  last_id text not null
);
