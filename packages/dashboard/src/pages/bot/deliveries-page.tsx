// The queue of a bot: pending deliveries, scheduled work, recurring events and dead letters.
import { NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { Page } from '../../parts/page.tsx'
import { texts } from '../../texts/texts.ts'
import { DeadLetters } from './dead-letters.tsx'
import { FailedEvents } from './failed-events.tsx'
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
const choices = Object.entries(views).map(([value, { label }]) => ({ value, label }))

export function DeliveriesPage() {
  const [chosen = 'dead', setView] = useFilter('view')
  const view: View = Object.hasOwn(views, chosen) ? (chosen as View) : 'dead'
  const { List } = views[view]
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
    </Page>
  )
}

function Depth() {
  const { botId, client } = useBot()
  const { data } = useQuery({
    queryKey: ['events', botId, 'queue'],
    queryFn: ({ signal }) => client.platform.getQueue({}, { signal }),
    refetchInterval: 10_000,
  })
  if (!data) return null
  const { pending, conversations, oldestSeconds } = data.queue
  const oldest = pending > 0 ? `, ${texts.deliveries.oldest(Math.round(oldestSeconds))}` : ''
  return (
    <Text size="sm" c="dimmed" role="status">
      {texts.deliveries.depth(pending, conversations) + oldest}
    </Text>
  )
}
