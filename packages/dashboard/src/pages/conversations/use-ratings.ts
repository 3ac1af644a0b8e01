// The opinions of users on the messages of a conversation.
import type { Feedback } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { useDetailsStored } from './transcript-details.ts'

const none: Feedback[] = []

/** Returns them by the id of the message. */
export function useRatings(conversationId: string): ReadonlyMap<string, Feedback> {
  const { botId, client } = useBot()
  const { data } = useQuery({
    enabled: useDetailsStored(conversationId),
    queryKey: ['conversations', botId, 'feedback', conversationId],
    queryFn: ({ signal }) =>
      client.platform.listFeedback(
        { query: { conversationId, pageSize: 100 } },
        { signal },
      ),
  })
  return new Map((data?.feedback ?? none).map((each) => [each.messageId, each]))
}
