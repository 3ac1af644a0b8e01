// Jobs of a table: imports, exports and changes of its columns.
import type { Output, platform } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'

export type Job = Output<typeof platform.tableViews.listTableJobs>['jobs'][number]

export const isRunning = ({ status }: Job) =>
  status !== 'completed' && status !== 'failed'

/** The numbers of rows and running imports, by the ids of the tables; live. */
export function useTableCounts() {
  const { botId, client } = useBot()
  const { data } = useQuery({
    queryKey: ['tableJobs', botId, 'counts'],
    queryFn: ({ signal }) => client.platform.listTableCounts({}, { signal }),
    staleTime: 0,
  })
  return new Map(data?.tables.map((table) => [table.id, table]))
}

/** Newest first; live. */
export function useTableJobs(tableId: string) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['tableJobs', botId, tableId],
    queryFn: ({ signal }) =>
      client.platform.listTableJobs({ params: { table: tableId } }, { signal }),
    staleTime: 0,
  })
}
