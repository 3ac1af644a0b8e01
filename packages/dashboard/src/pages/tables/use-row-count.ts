// The number of rows that a view shows.
import type { Client } from '@botstead/client'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { rowsKey } from './grid/use-table-rows.ts'
import type { RowView } from './row-view.ts'

/** A search returns the best rows only. */
const maxFound = 1_000

export function useRowCount(tableId: string, { filter, search }: RowView, total: number) {
  const { botId, client } = useBot()
  const isWhole = !filter && !search
  const query = useQuery({
    queryKey: [...rowsKey(botId, tableId), 'count', { filter, search }],
    queryFn: ({ signal }) =>
      countRows(
        client,
        tableId,
        { ...(filter && { filter }), ...(search && { search }) },
        signal,
      ),
    enabled: !isWhole,
    staleTime: 30_000,
  })
  return isWhole ? { data: total, error: null, refetch: query.refetch } : query
}

/** Throws the errors of the server for an invalid filter. */
export async function countRows(
  client: Client,
  tableId: string,
  { filter, search }: RowView,
  signal?: AbortSignal,
): Promise<number> {
  const body = {
    ...(filter && { filter }),
    ...(search
      ? { search, limit: maxFound, select: ['id'] }
      : { group: { id: 'count' } }),
  }
  const { rows } = await client.tables.findTableRows(
    { params: { table: tableId }, body },
    signal && { signal },
  )
  return search
    ? rows.length
    : Number((rows[0] as { idCount?: number } | undefined)?.idCount ?? 0)
}
