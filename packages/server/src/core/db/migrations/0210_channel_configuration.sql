-- With which configuration a channel last registered, as a keyed digest, and since when: a message that arrived
-- with the former one proves nothing, and registering again with the same one ends no error.
alter table channel_activity add column configuration text, add column configured_at timestamptz(3);
