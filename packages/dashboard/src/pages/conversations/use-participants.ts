import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useDetailsStored } from './transcript-details.ts'

/** The pages of participants, and those that are loaded. */
export function useParticipants(conversationId: string) {
  const { botId, client } = useBot()
  const query = usePages(
    ['conversations', botId, conversationId, 'participants'],
    (page, options) =>
      client.runtime.listParticipants(
        { params: { id: conversationId }, query: page },
        options,
      ),
    { isEnabled: useDetailsStored(conversationId) },
  )
  return {
    query,
    participants: query.data?.pages.flatMap((page) => page.participants) ?? [],
  }
}
