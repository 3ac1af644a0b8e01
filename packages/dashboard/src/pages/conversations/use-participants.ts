import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'

export function useParticipants(conversationId: string) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['conversations', botId, conversationId, 'participants'],
    queryFn: ({ signal }) =>
      client.runtime.listParticipants({ params: { id: conversationId } }, { signal }),
  })
}
