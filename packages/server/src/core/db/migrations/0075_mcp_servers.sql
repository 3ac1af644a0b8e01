-- MCP servers that are installed in bots.
create table bot_mcp_server (
  bot_id text not null references bot on delete cascade,
  name text not null,
  url text not null,
  -- Encrypted; null if the server needs none.
  key bytea,
  -- The header that carries the key; null for `authorization: Bearer`.
  key_header text,
  enabled boolean not null,
  -- The server's tools by name, as of tools_at; null before their first listing.
  tools jsonb,
  tools_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (bot_id, name)
);
