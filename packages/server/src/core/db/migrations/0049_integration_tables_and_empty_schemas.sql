-- alias of the integration that created the table; null when the bot or a person did
alter table bot_table add column integration text;

-- What nobody declared accepts any object, instead of anything at all: of the latter, generated code makes `any`.
update plugin set definition = jsonb_set(definition, '{configuration,schema}', '{"type": "object", "properties": {}}')
where definition #> '{configuration,schema}' = '{}';
update bot set definition = jsonb_set(definition, '{configuration,schema}', '{"type": "object", "properties": {}}')
where definition #> '{configuration,schema}' = '{}';
