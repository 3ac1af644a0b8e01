// Lists of the page "Deliveries" besides failures.

import type { PendingDelivery, ScheduledItem, UpcomingTick } from '@botstead/contract'
import { Button, Code, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { ConversationLink } from '../../parts/objects/object-links.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { toCount } from '../../parts/texts/amounts.ts'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'

export function PendingDeliveries() {
  const { botId, client } = useBot()
  const query = usePages(['events', botId, 'pending'], (page, options) =>
    client.platform.listPendingDeliveries({ query: page }, options),
  )
  return (
    <RowList
      label={texts.deliveries.pending}
      query={query}
      getRows={getPending}
      getKey={({ id }) => id}
      columns={pendingColumns}
      empty={
        <Empty
          title={texts.deliveries.emptyPending}
          hint={texts.deliveries.emptyPendingHint}
        />
      }
    />
  )
}

const getPending = ({ deliveries }: { deliveries: PendingDelivery[] }) => deliveries

const pendingColumns: Column<PendingDelivery>[] = [
  {
    title: texts.deliveries.conversation,
    width: 'minmax(0, 2fr)',
    cell: ({ conversation }) =>
      conversation.startsWith('conv_') ? (
        <ConversationLink id={conversation} />
      ) : (
        <Code className="one-line">{conversation}</Code>
      ),
  },
  {
    title: texts.deliveries.kind,
    width: '90px',
    wideOnly: true,
    cell: ({ kind }) => texts.deliveries.kinds[kind],
  },
  {
    title: texts.deliveries.attempts,
    width: '80px',
    wideOnly: true,
    cell: ({ attempts }) => attempts,
  },
  {
    title: texts.deliveries.error,
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: ({ lastError }) => (
      <Text size="sm" className="foreign one-line" title={lastError}>
        {lastError}
      </Text>
    ),
  },
  {
    title: texts.deliveries.created,
    width: '110px',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
]

export function Scheduled({ kind }: { kind: 'event' | 'message' }) {
  const { botId, client } = useBot()
  const query = usePages(['events', botId, 'scheduled', kind], (page, options) =>
    client.platform.listScheduled({ query: { kind, ...page } }, options),
  )
  return (
    <RowList
      label={
        kind === 'event' ? texts.deliveries.scheduled : texts.deliveries.scheduledMessages
      }
      query={query}
      getRows={getScheduled}
      getKey={({ id }) => id}
      columns={scheduledColumns}
      empty={<Empty title={texts.deliveries.emptyScheduled} />}
    />
  )
}

const getScheduled = ({ scheduled }: { scheduled: ScheduledItem[] }) => scheduled

const scheduledColumns: Column<ScheduledItem>[] = [
  {
    title: texts.deliveries.type,
    width: 'minmax(0, 2fr)',
    cell: ({ type }) => <Code className="foreign one-line">{type}</Code>,
  },
  {
    title: texts.deliveries.conversation,
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: ({ conversationId }) =>
      conversationId && <ConversationLink id={conversationId} />,
  },
  {
    title: texts.deliveries.due,
    width: '110px',
    cell: ({ dueAt }) => <Moment at={dueAt} />,
  },
  {
    title: texts.deliveries.cancel,
    width: '110px',
    cell: (item) => <CancelButton item={item} />,
  },
]

function CancelButton({ item: { id, kind } }: { item: ScheduledItem }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () =>
      kind === 'event'
        ? client.runtime.cancelScheduledEvent({ params: { id } })
        : client.runtime.deleteMessage({ params: { id } }),
    onSuccess: () => {
      notifyDone(texts.deliveries.canceled)
      return queries.invalidateQueries({ queryKey: ['events', botId, 'scheduled'] })
    },
    onError: notifyFailed,
  })
  if (!isEditor) return null
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={cancel.isPending}
      onClick={() => cancel.mutate()}
    >
      {texts.deliveries.cancel}
    </Button>
  )
}

export function Recurring() {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['events', botId, 'recurring'],
    queryFn: ({ signal }) => client.platform.getUpcomingTicks({}, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ recurring }) =>
        recurring.length === 0 ? (
          <Empty
            title={texts.deliveries.emptyRecurring}
            hint={texts.deliveries.emptyRecurringHint}
          />
        ) : (
          <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {recurring.map((tick) => (
              <Tick key={tick.name} tick={tick} />
            ))}
          </Stack>
        )
      }
    </Loaded>
  )
}

const Tick = ({ tick }: { tick: UpcomingTick }) => (
  <Paper component="li" className="panel" p="md">
    <Group justify="space-between">
      <Group gap="xs">
        <Text fw={600} className="foreign">
          {tick.name}
        </Text>
        <Code>{tick.cron}</Code>
        <Text size="sm" c="dimmed" className="foreign">
          {tick.type}
        </Text>
      </Group>
      <Group gap={6}>
        <Text size="sm">{texts.deliveries.nextRun}</Text>
        {tick.nextRunAt ? <Moment at={tick.nextRunAt} /> : texts.common.never}
      </Group>
    </Group>
    {tick.failedAttempts > 0 && (
      <Text size="sm" className="foreign">
        {texts.common.labelled(texts.deliveries.failures, toCount(tick.failedAttempts))} ·{' '}
        {tick.lastFailureReason}
      </Text>
    )}
  </Paper>
)
