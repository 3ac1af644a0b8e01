// Events that the bot failed to handle, and delivering one again.
import type { Client } from '@botstead/client'
import type { Event } from '@botstead/contract'
import { Button, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { nextNote } from '../../api/live.tsx'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'
import { ActionError } from '../action-error.tsx'
import { InputError } from '../forms/input-error.ts'
import { notifyDone, notifyFailed } from '../notify.ts'

/**
 * Returns the failed events of a conversation, newest first, and those of messages by the message's
 * id: the first page, and further ones back to a time, once it is known. None for a role that may not
 * read events.
 */
export function useFailedEvents(
  conversationId: string | undefined,
  since: string | undefined,
) {
  const { botId, client } = useBot()
  const isReader = useMay()('data.read')
  const query = usePages(
    ['events', botId, 'failed', conversationId],
    (page, options) =>
      client.runtime.listEvents(
        { query: { conversationId: conversationId!, status: 'failed', ...page } },
        options,
      ),
    { isEnabled: isReader && conversationId !== undefined },
  )
  const { data, hasNextPage, isFetching, fetchNextPage } = query
  const events = useMemo(() => data?.pages.flatMap((page) => page.events) ?? [], [data])
  const oldest = events.at(-1)?.createdAt ?? ''
  useEffect(() => {
    if (since !== undefined && oldest > since && hasNextPage && !isFetching)
      void fetchNextPage()
  }, [oldest, since, hasNextPage, isFetching, fetchNextPage])
  return useMemo(() => {
    const ofMessages = new Map<string, Event>()
    for (const event of events)
      if (event.messageId) ofMessages.set(event.messageId, event)
    return { events, ofMessages }
  }, [events])
}

const maxPauseMs = 10_000
const maxWaits = 6

/** Waits for the end of the delivery, for a minute at most. */
async function findOutcome(client: Client, botId: string, id: string): Promise<Event> {
  for (let waits = 0; ; waits++) {
    const noted = nextNote(
      (note) => note.topic === 'events' && note.botId === botId,
      maxPauseMs,
    )
    const { event } = await client.runtime.getEvent({ params: { id } })
    if (event.status !== 'pending' || waits === maxWaits) return event
    await noted
  }
}

function notifyOutcome({ status, failureReason }: Event) {
  const { failedAgain, redelivered, handled } = texts.deliveries
  if (status === 'failed')
    notifyFailed(
      new InputError(failedAgain, failureReason ? shortReason(failureReason) : undefined),
    )
  else notifyDone(status === 'pending' ? redelivered : handled)
}

/** Without the position in the code, which the trace has. */
export const shortReason = (reason: string) =>
  reason.replace(/ ?\(bot\.json#[^)]*\)[\s\S]*$/, '')

/** A button for an event that failed or was ignored; nothing for others. */
export function Redeliver({
  event: { id, status },
}: {
  event: { id: string; status: string }
}) {
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const queries = useQueryClient()
  const redeliver = useMutation({
    mutationFn: async () => {
      await client.platform.redeliverEvent({ params: { id }, body: {} })
      await queries.invalidateQueries({ queryKey: ['events', botId] })
      return findOutcome(client, botId, id)
    },
    // Also after the row of the event has disappeared.
    onSuccess: notifyOutcome,
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
