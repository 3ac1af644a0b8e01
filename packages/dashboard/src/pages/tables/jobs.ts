// Jobs of a table: imports, exports and changes of its columns.
import type { Output, tables } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'

export type Job = Output<typeof tables.tables.getTableJobs>['jobs'][number]

export const isRunning = ({ status }: Job) => status !== 'completed' && status !== 'failed'

const pauseMs = 700

/** Follows the jobs until all have ended. */
export function useTableJobs(tableId: string) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['tables', botId, tableId, 'jobs'],
    queryFn: ({ signal }) => client.tables.getTableJobs({ params: { table: tableId } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isRunning) ? pauseMs : false),
    staleTime: 0,
  })
}
