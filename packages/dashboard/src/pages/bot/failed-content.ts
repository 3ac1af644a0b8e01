// The message and the author of failed events.
import type { Event, Message } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { toWrittenText } from '../../parts/messages/written-text.ts'

/** Returns the newest failed events of the bot by their ids. */
export function useNewestFailed(): ReadonlyMap<string, Event> {
  const { botId, client } = useBot()
  const { data } = useQuery({
    // The same request as that of the overview.
    queryKey: ['events', botId, 'failed'],
    queryFn: ({ signal }) =>
      client.runtime.listEvents({ query: { status: 'failed' } }, { signal }),
  })
  return new Map(data?.events.map((event) => [event.id, event]))
}

export function toContent(event: Event | undefined): { text?: string; name?: string } {
  const { message, user } = (event?.payload ?? {}) as {
    message?: Message
    user?: { name?: string }
  }
  return {
    ...(message?.payload && { text: toWrittenText(message) }),
    ...(user?.name && { name: user.name }),
  }
}
