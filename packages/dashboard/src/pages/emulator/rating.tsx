// Thumbs below an answer, as visitors have them on the chat page. A bad rating puts the question into the
// list of unanswered ones.
import { ActionIcon, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { IconThumbDown, IconThumbUp } from '../../icons/icons.tsx'
import { notifyFailed } from '../../parts/notify.ts'
import { BotLink } from '../../parts/objects/bot-link.tsx'
import { texts } from '../../texts/texts.ts'
import type { ChatSession } from './chat-session.ts'

const t = texts.emulator

export interface RatingProps {
  webhookId: string
  session: ChatSession
  messageId: string
}

type Thumb = 'positive' | 'negative'

export function Rating({ webhookId, session, messageId }: RatingProps) {
  const { data = [], queryKey } = useOwnRatings(webhookId, session)
  const { client } = useBot()
  const queries = useQueryClient()
  const options = { headers: { 'x-user-key': session.userKey } }
  const current = data.find((each) => each.messageId === messageId)?.rating
  const rate = useMutation({
    mutationFn: async (rating: Thumb) => {
      const params = { webhookId, id: messageId }
      if (rating === current) await client.live.deleteFeedback({ params }, options)
      else await client.live.setFeedback({ params, body: { rating } }, options)
    },
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: notifyFailed,
  })
  const thumb = (rating: Thumb, label: string, Icon: typeof IconThumbUp) => (
    <ActionIcon
      size={22}
      variant={rating === current ? 'filled' : 'subtle'}
      color="gray"
      aria-label={label}
      aria-pressed={rating === current}
      disabled={rate.isPending}
      onClick={() => rate.mutate(rating)}
    >
      <Icon size={14} aria-hidden="true" />
    </ActionIcon>
  )
  return (
    <Group gap={4}>
      {thumb('positive', t.good, IconThumbUp)}
      {thumb('negative', t.bad, IconThumbDown)}
      {current === 'negative' && (
        <Text size="xs" role="status">
          {t.rated}{' '}
          <BotLink page="knowledge/unanswered">{texts.unanswered.title}</BotLink>
        </Text>
      )}
    </Group>
  )
}

/** The messages of the conversation share one request. */
function useOwnRatings(webhookId: string, { conversationId, userKey }: ChatSession) {
  const { client } = useBot()
  const queryKey = ['ownRatings', webhookId, conversationId]
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const params = { webhookId, id: conversationId }
      const headers = { 'x-user-key': userKey }
      const query = { pageSize: 100 }
      const page = await client.live.listOwnFeedback(
        { params, query },
        { signal, headers },
      )
      return page.feedback
    },
  })
  return { data, queryKey }
}
