// The first page of a transcript comes with the lists beside it, which then need no requests. Notes of
// the live stream refetch each of them on its own.
import type { Output, platform } from '@botstead/contract'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'

export type Details = NonNullable<
  Output<typeof platform.conversations.getConversationTranscript>['details']
>

/** `lastUserMessage` is that of the time when the page was opened. */
export type People = Pick<Details, 'memberIds' | 'lastUserMessage'>

export const toPeopleKey = (botId: string, conversationId: string) => [
  'conversations',
  botId,
  conversationId,
  'people',
]

export const toUnsentKey = (botId: string, conversationId: string) => [
  'deadLetters',
  botId,
  'ofConversation',
  conversationId,
]

const toKey = (botId: string, conversationId: string) => [
  'transcript-details',
  botId,
  conversationId,
]

/** Stores the lists under the keys of their queries; without them, each list is requested. */
export function storeDetails(
  queries: QueryClient,
  botId: string,
  conversationId: string,
  details: Details | undefined,
) {
  const store = (key: string[], data: unknown) => queries.setQueryData(key, data)
  const asPages = (page: unknown) => ({ pages: [page], pageParams: [''] })
  if (details) {
    const ofConversation = ['conversations', botId, conversationId]
    store([...ofConversation, 'participants'], asPages(details.participants))
    store([...ofConversation, 'notes'], asPages(details.notes))
    store(toPeopleKey(botId, conversationId), details satisfies People)
    store(['conversations', botId, 'feedback', conversationId], details.feedback)
    store(['events', botId, 'failed', conversationId], asPages(details.failedEvents))
    store(toUnsentKey(botId, conversationId), details.deadLetters)
    store(['handoffs', botId, 'open', conversationId], { count: details.openHandoffs })
  }
  store(toKey(botId, conversationId), true)
}

/** Whether the page has the lists already: further pages of them would be lost. */
export const hasDetails = (
  queries: QueryClient,
  botId: string,
  conversationId: string,
): boolean => queries.getQueryData<boolean>(toKey(botId, conversationId)) ?? false

/** Whether the lists are stored, or their request failed: until then, they are not requested. */
export function useDetailsStored(conversationId: string): boolean {
  const { botId } = useBot()
  const { data } = useQuery({
    queryKey: toKey(botId, conversationId),
    queryFn: () => false,
    enabled: false,
    gcTime: 0,
  })
  return data ?? false
}
