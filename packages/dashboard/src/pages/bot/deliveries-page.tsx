// The queue of a bot: pending deliveries, scheduled work, recurring events and dead letters.

import type { ChangeNote } from '@botstead/contract'
import { NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { useNotes } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'
import { Page } from '../../parts/page.tsx'
import { Loading } from '../../parts/states.tsx'
import { TraceDialog } from '../../parts/traces/trace.tsx'
import { texts } from '../../texts/texts.ts'
import { DeadLetters } from './dead-letters.tsx'
import { FailedEvents, useNewestFailed } from './failed-events.tsx'
import { PendingDeliveries, Recurring, Scheduled } from './queue-lists.tsx'

const views = {
  dead: { label: texts.deliveries.dead, List: DeadLetters },
  failed: { label: texts.deliveries.failed, List: FailedEvents },
  pending: { label: texts.deliveries.pending, List: PendingDeliveries },
  scheduled: { label: texts.deliveries.scheduled, List: () => <Scheduled kind="event" /> },
  messages: { label: texts.deliveries.scheduledMessages, List: () => <Scheduled kind="message" /> },
  recurring: { label: texts.deliveries.recurring, List: Recurring },
}
type View = keyof typeof views
type Counts = Partial<Record<View, string>>

export function DeliveriesPage() {
  const { counts, isFetching } = useCounts()
  // The first list that needs a decision, by counts of now. It stays when it becomes empty.
  const [first, setFirst] = useState<View>()
  if (!first && !isFetching) setFirst(counts.failed && !counts.dead ? 'failed' : 'dead')
  return first ? <Lists counts={counts} first={first} /> : <Loading />
}

function Lists({ counts, first }: { counts: Counts; first: View }) {
  const [chosen = '', setView] = useFilter('view')
  const [letter] = useFilter('letter')
  const opened = letter ? 'dead' : first
  const view: View = Object.hasOwn(views, chosen) ? (chosen as View) : opened
  const { List } = views[view]
  const choices = Object.entries(views).map(([value, { label }]) => {
    const count = counts[value as View]
    return { value, label: count ? `${label} (${count})` : label }
  })
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

/**
 * Without counts that could not be read. They are read again when the page opens, because its first
 * list depends on them.
 */
function useCounts(): { counts: Counts; isFetching: boolean } {
  const { botId, client } = useBot()
  const dead = useQuery({
    queryKey: ['deadLetters', botId, 'count'],
    queryFn: ({ signal }) => client.platform.countDeadLetters({ query: {} }, { signal }),
    staleTime: 0,
  })
  const failed = useNewestFailed({ staleTime: 0 })
  const some = (count: number | undefined, more = '') =>
    count ? count.toLocaleString('en') + more : undefined
  const { events, meta } = failed.data ?? {}
  const counts = {
    dead: some(dead.data?.count),
    failed: some(events?.length, meta?.nextToken && '+'),
  } as Counts
  return { counts, isFetching: dead.isFetching || failed.isFetching }
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
  const oldest = pending > 0 ? `, ${texts.deliveries.oldest(Math.round(oldestSeconds))}` : ''
  return (
    <Text size="sm" c="dimmed" role="status">
      {texts.deliveries.depth(pending, conversations) + oldest}
    </Text>
  )
}
