-- Whoever indexes a file leaves its vectors to be made; where there is no source of them, nobody looks. Whoever makes them moves the time on meanwhile.
alter table file_index drop column embed_worker, alter column embed_at set default now();
update file_index set embed_at = now() where embed_at is null;

-- What is not to be indexed any more is not found any more, also while it has the content that was.
create function forget_index() returns trigger language plpgsql as $$
begin
  delete from file_index where bot_id = new.bot_id and file_id = new.id;
  return null;
end
$$;
create trigger forget_index after update on file for each row when (old.index and not new.index) execute function forget_index();
