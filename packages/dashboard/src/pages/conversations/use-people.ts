// The people of a conversation: participants without the bot, and without members who answer in place of
// it, as far as they are loaded.
import type { Message, User } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { type People, toPeopleKey, useDetailsStored } from './transcript-details.ts'
import { useParticipants } from './use-participants.ts'

export function usePeople(conversationId: string): {
  people: User[]
  lastMessage?: Message
} {
  const { botId, client } = useBot()
  const { participants } = useParticipants(conversationId)
  const { data } = useQuery({
    enabled: useDetailsStored(conversationId),
    queryKey: toPeopleKey(botId, conversationId),
    queryFn: async ({ signal }): Promise<People> => {
      const params = { id: conversationId }
      const query = { details: true, pageSize: 1 }
      const { details } = await client.platform.getConversationTranscript(
        { params, query },
        { signal },
      )
      return details ?? { memberIds: [] }
    },
  })
  const others = new Set([botId, ...(data?.memberIds ?? [])])
  const people = data ? participants.filter(({ id }) => !others.has(id)) : []
  const isLast = ({ id }: User) => id === data?.lastUserMessage?.userId
  return {
    // The author of the last message comes first.
    people: [...people.filter(isLast), ...people.filter((user) => !isLast(user))],
    ...(data?.lastUserMessage && { lastMessage: data.lastUserMessage }),
  }
}
