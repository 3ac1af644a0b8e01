-- What a free worker looks for: lanes with work that nobody has, of each bot the oldest first. By bot, so that one bot's backlog hides no other's.
drop index lane_ready_at_idx;
create index lane_free on lane (bot_id, ready_at) where pending > 0 and owner is null;
