// The queue of a bot: everything that failed, pending deliveries, scheduled work and recurring events.

import type { ChangeNote } from '@botstead/contract'
import { NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useFilter } from '../../api/filters.ts'
import { useNotes } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'
import { Page } from '../../parts/page.tsx'
import { toCount } from '../../parts/texts/amounts.ts'
import { TraceDialog } from '../../parts/traces/trace.tsx'
import { texts } from '../../texts/texts.ts'
import { Failures, useFailures } from './failures.tsx'
import { PendingDeliveries, Recurring, Scheduled } from './queue-lists.tsx'

const views = {
  failed: { label: texts.deliveries.failed, List: Failures },
  pending: { label: texts.deliveries.pending, List: PendingDeliveries },
  scheduled: {
    label: texts.deliveries.scheduled,
    List: () => <Scheduled kind="event" />,
  },
  messages: {
    label: texts.deliveries.scheduledMessages,
    List: () => <Scheduled kind="message" />,
  },
  recurring: { label: texts.deliveries.recurring, List: Recurring },
}
type View = keyof typeof views

export function DeliveriesPage() {
  const [chosen = '', setView] = useFilter('view')
  const view: View = Object.hasOwn(views, chosen) ? (chosen as View) : 'failed'
  const failed = useFailedCount()
  const { List } = views[view]
  const choices = Object.entries(views).map(([value, { label }]) => ({
    value,
    label: value === 'failed' && failed ? `${label} (${failed})` : label,
  }))
  return (
    <Page title={texts.deliveries.title} actions={<Depth />} fills>
      <SegmentedControl
        className="wide-only"
        aria-label={texts.deliveries.view}
        size="xs"
        value={view}
        onChange={setView}
        style={{ alignSelf: 'flex-start' }}
        data={choices}
      />
      <NativeSelect
        className="narrow-only"
        aria-label={texts.deliveries.view}
        value={view}
        onChange={({ currentTarget }) => setView(currentTarget.value)}
        data={choices}
      />
      <List />
      <TraceDialog />
    </Page>
  )
}

/** Returns the length of the first page, with a plus if there are more; undefined for none. */
function useFailedCount(): string | undefined {
  const page = useFailures().data?.pages[0]
  if (!page || page.failures.length === 0) return undefined
  return toCount(page.failures.length) + (page.meta.nextToken ? '+' : '')
}

/** The server counts every few seconds at most: the first request after an event may get older counts. */
const countedAfterMs = 2_500

/** Calls `refetch` once the server has counted after the last of several events. */
function useAfterEvents(botId: string, refetch: () => unknown) {
  const refetchLater = useDebouncedCallback(() => void refetch(), countedAfterMs)
  const receive = useCallback(
    (note: ChangeNote) => {
      if (note.topic === 'events' && note.botId === botId) refetchLater()
    },
    [botId, refetchLater],
  )
  useNotes(receive)
}

function Depth() {
  const { botId, client } = useBot()
  const { data, refetch } = useQuery({
    queryKey: ['events', botId, 'queue'],
    queryFn: ({ signal }) => client.platform.getQueue({}, { signal }),
    refetchInterval: 10_000,
  })
  useAfterEvents(botId, refetch)
  if (!data) return null
  const { pending, conversations, oldestSeconds } = data.queue
  const oldest =
    pending > 0 ? `, ${texts.deliveries.oldest(Math.round(oldestSeconds))}` : ''
  return (
    <Text size="sm" c="dimmed" role="status">
      {texts.deliveries.depth(pending, conversations) + oldest}
    </Text>
  )
}
