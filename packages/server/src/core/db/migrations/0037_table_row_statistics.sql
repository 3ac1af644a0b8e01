-- What the cells of a column are like, so that the planner knows which of several conditions leaves the fewest rows, and whether going through a column
-- in order soon meets enough of them. It has the same from the indexes, and does not look at those that leave rows out.
do $$
begin
  for i in 1..20 loop
    execute format('create statistics table_row_s%s on (cell_key(data -> ''c%s'') collate "C") from table_row', i, i);
  end loop;
end
$$;
