// Begins a handoff from the page of a conversation.
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { useDetailsStored } from '../../pages/conversations/transcript-details.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { texts } from '../../texts/texts.ts'
import { TakeButton } from './take-button.tsx'

const t = texts.inbox

/** Returns a function that requests a handoff, or finds the open one, and opens it. */
export function useTakeOver() {
  const { workspaceId, botId, client } = useBot()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return async (conversationId: string) => {
    const { handoff } = await client.platform.requestHandoff({
      body: { conversationId, assign: true },
    })
    await queries.invalidateQueries({ queryKey: ['handoffs', botId] })
    await navigate({
      to: '/w/$workspaceId/bots/$botId/inbox/$handoffId',
      params: { workspaceId, botId, handoffId: handoff.id },
      search: { list: 'open' },
    })
  }
}

/** "Take over", or a way to the open handoff of the conversation. */
export function TakeOver({ conversationId }: { conversationId: string }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('conversations.write')
  const takeOver = useTakeOver()
  const { data } = useQuery({
    enabled: useDetailsStored(conversationId),
    queryKey: ['handoffs', botId, 'open', conversationId],
    queryFn: ({ signal }) =>
      client.platform.countHandoffs(
        { query: { conversationId, state: 'open' } },
        { signal },
      ),
  })
  const open = useMutation({ mutationFn: () => takeOver(conversationId) })
  if (!isEditor || !data) return null
  if (data.count === 0)
    return (
      <TakeButton
        variant="default"
        label={t.takeOver}
        take={() => takeOver(conversationId)}
      />
    )
  return (
    <>
      <ActionError error={open.error} />
      <Button variant="default" loading={open.isPending} onClick={() => open.mutate()}>
        {t.openInbox}
      </Button>
    </>
  )
}
