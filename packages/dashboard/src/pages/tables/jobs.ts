// Jobs of a table: imports, exports and changes of its columns.
import type { Output, platform } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'

export type Job = Output<typeof platform.tableViews.listTableJobs>['jobs'][number]

export const isRunning = ({ status }: Job) => status !== 'completed' && status !== 'failed'

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
