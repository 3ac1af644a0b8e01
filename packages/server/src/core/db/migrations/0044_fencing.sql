-- Rejects a write under a lease that another server has taken over. A take-over deletes the old owner's row of `worker`
-- not later than it frees the lanes, and a worker that returns gets another id. The lock makes that deletion wait for a
-- write that has passed this check; renewals do not wait for it, since they leave the key as it is. The function is
-- volatile: it reads what is committed now, not the statement's snapshot. It is strict, because PostgreSQL evaluates it
-- again after a concurrent update, also for a write without a lease (null).
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
