-- The number of a version in its bot, and when the bot last got its state. Servers of the previous
-- version store rows without both. A bot has at most 200 versions.
alter table bot_version add column number integer, add column deployed_at timestamptz(3);

update bot_version v set number = numbered.n, deployed_at = v.created_at
from (
  select bot_id, id, row_number() over (partition by bot_id order by id) as n from bot_version
) numbered
where (v.bot_id, v.id) = (numbered.bot_id, numbered.id);
