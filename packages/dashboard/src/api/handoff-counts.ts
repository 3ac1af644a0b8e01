// Numbers of handoffs; notes of the live stream refresh them.
import { useQuery } from '@tanstack/react-query'
import { useBot } from './scope.ts'

/** Returns the number of handoffs, up to 1,000; undefined until it is known. */
export function useCount(
  name: 'waiting' | 'mine',
  query: { state?: 'waiting'; assignedTo?: 'me' },
  isNeeded = true,
): number | undefined {
  const { botId, client } = useBot()
  const { data } = useQuery({
    queryKey: ['handoffs', botId, 'count', name],
    enabled: isNeeded,
    queryFn: ({ signal }) => client.platform.countHandoffs({ query }, { signal }),
  })
  return data?.count
}
