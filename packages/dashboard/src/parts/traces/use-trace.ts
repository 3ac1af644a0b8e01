// The trace of a message or an event.
import type { Client } from '@botstead/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'

/** A message or an event of the bot of the page. */
export type TraceSubject = { messageId: string } | { eventId: string }

export const traceQuery = (client: Client, botId: string, of: TraceSubject) =>
  queryOptions({
    queryKey: ['events', botId, 'trace', of],
    queryFn: async ({ signal }) => {
      if ('messageId' in of)
        return client.platform.getMessageTrace(
          { params: { id: of.messageId } },
          { signal },
        )
      return client.platform.getEventTrace({ params: { id: of.eventId } }, { signal })
    },
  })

export function useTrace(of: TraceSubject, enabled = true) {
  const { botId, client } = useBot()
  return useQuery({ ...traceQuery(client, botId, of), enabled })
}

/** Returns the event of the shown trace, from the address, and a function to choose one. */
export const useTraced = () => useFilter('trace')
