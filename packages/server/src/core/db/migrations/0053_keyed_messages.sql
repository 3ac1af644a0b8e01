-- Keys of requests that wrote a message: the parts of the response that the request does not contain, instead of the encrypted response. The message may be
-- changed or deleted later, so these columns do not refer to it.
alter table idempotency_key
  add column message_id text,
  add column message_created_at timestamptz(3),
  -- the ids that chat clients see
  add column shown_conversation_id text,
  add column shown_user_id text;
