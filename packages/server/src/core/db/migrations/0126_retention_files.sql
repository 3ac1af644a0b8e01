-- in steps: not in one transaction
-- Files of people by age, for their retention.
create index concurrently if not exists file_of_people on file (bot_id, updated_at, id)
  where owner ->> 'type' = 'user';
