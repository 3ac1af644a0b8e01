import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from './scope.ts'

/** Reads the example bots, which stay the same until the server is upgraded. */
export function useExamples() {
  const { workspaceId, client } = useWorkspace()
  return useQuery({
    queryKey: ['examples', workspaceId],
    queryFn: ({ signal }) => client.platform.listExamples({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
