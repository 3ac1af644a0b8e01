// Events that a bot failed to handle, also those that it rejected, which are no dead letters.
import type { Event } from '@botstead/contract'
import { Text } from '@mantine/core'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { Redeliver } from '../../parts/failed-events.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ConversationLink } from '../../parts/object-links.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.deliveries

export function FailedEvents() {
  const { botId, client } = useBot()
  const query = usePages(['events', botId, 'failed', 'list'], (page, options) =>
    client.runtime.listEvents({ query: { status: 'failed', ...page } }, options),
  )
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.failedHint}
      </Text>
      <RowList
        label={t.failed}
        query={query}
        rowsOf={({ events }) => events}
        keyOf={({ id }) => id}
        columns={columns}
        empty={<Empty title={t.emptyFailed} />}
      />
    </>
  )
}

const columns: Column<Event>[] = [
  {
    title: t.reason,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: ({ failureReason, type }) => (
      <>
        <Text size="sm" className="foreign one-line" title={failureReason ?? undefined}>
          {failureReason}
        </Text>
        <Text size="xs" c="dimmed" className="foreign one-line">
          {type}
        </Text>
      </>
    ),
  },
  {
    title: t.conversation,
    width: 'minmax(0, 2fr)',
    cell: ({ conversationId }) => conversationId && <ConversationLink id={conversationId} />,
  },
  { title: t.created, width: '110px', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: '', width: '130px', cell: (event) => <Redeliver event={event} /> },
]
