-- Actions of installed integrations, as `alias:action`, that the MCP server of the bot offers as
-- tools.
alter table bot add column mcp_actions text[] not null default '{}';
