// Events that a bot failed to handle, also those that it rejected, which are no dead letters.
import type { Event, Message } from '@botstead/contract'
import { Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { Redeliver, shortReason } from '../../parts/failed-events.tsx'
import { textOf } from '../../parts/message-text.ts'
import { Moment } from '../../parts/moment.tsx'
import { ConversationLink } from '../../parts/object-links.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { TraceDialog } from '../../parts/trace-view.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.deliveries

export function FailedEvents() {
  const { botId, client } = useBot()
  const [traced, setTraced] = useState<string | null>(null)
  const query = usePages(['events', botId, 'failed', 'list'], (page, options) =>
    client.runtime.listEvents({ query: { status: 'failed', ...page } }, options),
  )
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.failedHint}
      </Text>
      {traced && <TraceDialog of={{ eventId: traced }} onClose={() => setTraced(null)} />}
      <RowList
        label={t.failed}
        query={query}
        rowsOf={({ events }) => events}
        keyOf={({ id }) => id}
        columns={columnsFor(setTraced)}
        empty={<Empty title={t.emptyFailed} />}
      />
    </>
  )
}

/** The message of the event and the name of its author. */
function contentOf({ payload }: Event): { text?: string; name?: string } {
  const { message, user } = payload as { message?: Message; user?: { name?: string } }
  return {
    ...(message?.payload && { text: textOf(message) }),
    ...(user?.name && { name: user.name }),
  }
}

const columnsFor = (onTrace: (eventId: string) => void): Column<Event>[] => [
  {
    title: t.reason,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: (event) => (
      <>
        <UnstyledButton onClick={() => onTrace(event.id)}>
          <Text size="sm" className="foreign" lineClamp={2} td="underline">
            {event.failureReason ? shortReason(event.failureReason) : event.type}
          </Text>
        </UnstyledButton>
        <Text size="xs" c="dimmed" className="foreign one-line">
          {contentOf(event).text ?? event.type}
        </Text>
      </>
    ),
  },
  {
    title: t.conversation,
    width: 'minmax(0, 2fr)',
    cell: (event) =>
      event.conversationId && (
        <ConversationLink id={event.conversationId} messageId={event.messageId}>
          {contentOf(event).name ?? t.conversation}
        </ConversationLink>
      ),
  },
  { title: t.created, width: '110px', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: '', width: '130px', cell: (event) => <Redeliver event={event} /> },
]
