-- Rejects a write that belongs to a lease which another server has taken over. Whoever takes lanes over deletes the old owner's row of `worker`
-- first, and a worker that returns gets another id. Null, for writes without a lease, passes. The lock makes that deletion wait for a write which has passed this check, so none slips
-- through; beats do not wait for it, since they leave the key as it is. Volatile: it reads what is committed now, not the statement's snapshot.
create function require_workers(ids text[]) returns boolean language plpgsql volatile strict as $$
declare
  wanted text;
begin
  foreach wanted in array ids loop
    perform from worker where id = wanted for key share;
    if not found then
      raise exception 'The lease of worker % was taken over', wanted using errcode = 'PF001';
    end if;
  end loop;
  return true;
end
$$;
