// Events that the bot failed to handle, and delivering one again.
import type { Event } from '@botstead/contract'
import { Button, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useBot } from '../api/scope.ts'
import { useMay } from '../api/session.ts'
import { texts } from '../texts/texts.ts'
import { ActionError } from './action-error.tsx'
import { notifyDone } from './notify.ts'

/** Returns the newest failed events of a conversation, and those of messages by the message's id. */
export function useFailedEvents(conversationId: string | undefined) {
  const { botId, client } = useBot()
  const { data } = useQuery({
    queryKey: ['events', botId, 'failed', conversationId],
    queryFn: ({ signal }) =>
      client.runtime.listEvents(
        { query: { conversationId: conversationId!, status: 'failed' } },
        { signal },
      ),
    enabled: conversationId !== undefined,
  })
  return useMemo(() => {
    const events = data?.events ?? []
    const ofMessages = new Map<string, Event>()
    for (const event of events) if (event.messageId) ofMessages.set(event.messageId, event)
    return { events, ofMessages }
  }, [data])
}

/** A button for an event that failed or was ignored; nothing for others. */
export function Redeliver({ event: { id, status } }: { event: { id: string; status: string } }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const queries = useQueryClient()
  const redeliver = useMutation({
    mutationFn: () => client.platform.redeliverEvent({ params: { id }, body: {} }),
    onSuccess: async () => {
      notifyDone(texts.deliveries.redelivered)
      await queries.invalidateQueries({ queryKey: ['events', botId] })
    },
  })
  if (!isEditor || (status !== 'failed' && status !== 'ignored')) return null
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="compact-xs"
        variant="default"
        loading={redeliver.isPending}
        onClick={() => redeliver.mutate()}
      >
        {texts.deliveries.redeliver}
      </Button>
      <ActionError error={redeliver.error} />
    </Stack>
  )
}
