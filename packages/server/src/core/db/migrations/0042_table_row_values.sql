-- How many different values a column has: without it, the planner takes a group for each row, and sorts a million of them.
do $$
begin
  for i in 1..20 loop
    execute format('create statistics table_row_v%s on (data -> ''c%s'') from table_row', i, i);
  end loop;
end
$$;
