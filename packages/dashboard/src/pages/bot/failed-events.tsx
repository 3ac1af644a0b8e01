// Events that a bot failed to handle, also those that it rejected, which are no dead letters.
import { RequestError } from '@botstead/client'
import type { Event, Message } from '@botstead/contract'
import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { TextFilter } from '../../parts/forms/filter-fields.tsx'
import { Filters } from '../../parts/forms/filters.tsx'
import { toWrittenText } from '../../parts/messages/written-text.ts'
import { notifyDone } from '../../parts/notify.ts'
import { ConversationLink } from '../../parts/objects/object-links.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { Redeliver, shortReason } from '../../parts/traces/failed-events.tsx'
import { useTraced } from '../../parts/traces/use-trace.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.deliveries

export function FailedEvents() {
  const { botId, client } = useBot()
  const [, setTraced] = useTraced()
  const [search = ''] = useFilter('reason')
  const [isRedelivering, setRedelivering] = useState(false)
  const isEditor = useMay()('data.write')
  const query = usePages(['events', botId, 'failed', 'list'], (page, options) =>
    client.runtime.listEvents({ query: { status: 'failed', ...page } }, options),
  )
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.failedHint}
      </Text>
      <Group gap="xs" align="flex-end">
        <Filters names={['reason']}>
          <TextFilter name="reason" label={t.searchReason} maxLength={500} />
        </Filters>
        {isEditor && (
          <Button
            variant="default"
            disabled={!query.data?.pages.some(({ events }) => events.length > 0)}
            onClick={() => setRedelivering(true)}
          >
            {t.redeliverAll}
          </Button>
        )}
      </Group>
      {isRedelivering && <RedeliverFailed search={search} onClose={() => setRedelivering(false)} />}
      <RowList
        label={t.failed}
        query={query}
        getRows={({ events }) => events.filter((event) => matches(event, search))}
        getKey={({ id }) => id}
        columns={columnsFor(setTraced)}
        empty={<Empty title={t.emptyFailed} />}
      />
    </>
  )
}

/** The newest failed events of the bot, also those with a dead letter. */
export function useNewestFailed(options: { staleTime?: number } = {}) {
  const { botId, client } = useBot()
  return useQuery({
    // The same request as that of the overview.
    queryKey: ['events', botId, 'failed'],
    queryFn: ({ signal }) => client.runtime.listEvents({ query: { status: 'failed' } }, { signal }),
    ...options,
  })
}

/** As the list of dead letters searches: a part of the reason. */
const matches = ({ failureReason }: Event, search: string) =>
  (failureReason ?? '').toLowerCase().includes(search.toLowerCase())

/** Redelivers the events that match now, page by page; an event that fails again is not repeated. */
function RedeliverFailed({ search, onClose }: { search: string; onClose: () => void }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [done, setDone] = useState(0)
  const closed = useRef(new AbortController())
  useEffect(() => {
    const current = new AbortController()
    closed.current = current
    return () => current.abort()
  }, [])

  async function redeliverAll() {
    const options = { signal: closed.current.signal }
    const found: string[] = []
    for (let page: { nextToken?: string } | null = {}; page; ) {
      const query = { status: 'failed' as const, ...page }
      const { events, meta } = await client.runtime.listEvents({ query }, options)
      found.push(...events.filter((event) => matches(event, search)).map(({ id }) => id))
      page = meta.nextToken ? { nextToken: meta.nextToken } : null
    }
    // Oldest first, so that the events of a conversation keep their order.
    for (const id of found.reverse()) {
      await client.platform.redeliverEvent({ params: { id }, body: {} }, options).catch(skipEnded)
      setDone((count) => count + 1)
    }
    notifyDone(t.redeliveredFailed(found.length))
  }

  return (
    <Confirm
      title={t.redeliverFailed}
      button={t.redeliver}
      harmless
      onConfirm={() =>
        redeliverAll().finally(() => queries.invalidateQueries({ queryKey: ['events', botId] }))
      }
      onClose={onClose}
    >
      <Text size="sm">{t.redeliverFailedHint}</Text>
      {done > 0 && <Text role="status">{t.redeliveredFailed(done)}</Text>}
    </Confirm>
  )
}

/** Another person redelivered or deleted the event. */
function skipEnded(error: unknown) {
  if (!(error instanceof RequestError) || ![404, 423].includes(error.status)) throw error
}

/** The message of the event and the name of its author. */
export function toContent({ payload }: Event): { text?: string; name?: string } {
  const { message, user } = payload as { message?: Message; user?: { name?: string } }
  return {
    ...(message?.payload && { text: toWrittenText(message) }),
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
          {toContent(event).text ?? event.type}
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
          {toContent(event).name ?? t.conversation}
        </ConversationLink>
      ),
  },
  { title: t.created, width: '110px', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: '', width: '130px', cell: (event) => <Redeliver event={event} /> },
]
