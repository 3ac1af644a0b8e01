-- How much passed lately, per limit and key: so that a restart forgets little of it. Unlogged: after a crash of the database it is empty, and
-- counting begins anew.
create unlogged table rate_window (
  key text primary key,
  -- per slice of the window, newest first
  counts text not null,
  written_at timestamptz(3) not null default clock_timestamp()
);
