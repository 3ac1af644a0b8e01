// A message as JSON, with its events and the failed attempts of their deliveries.
import type { Event, TranscriptMessage } from '@botstead/contract'
import { Alert, Badge, Button, CopyButton, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { Json } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/states.tsx'
import { TraceDialog } from '../../parts/trace-view.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.conversations

export function MessageDetails({ row: { message } }: { row: TranscriptMessage }) {
  const [isTraced, tracing] = useDisclosure(false)
  return (
    <Stack>
      <Group>
        <CopyButton value={linkTo(message.id)}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy} aria-live="polite">
              {copied ? texts.common.copied : t.copyLink}
            </Button>
          )}
        </CopyButton>
        <Button size="compact-sm" variant="default" onClick={tracing.open}>
          {texts.trace.title}
        </Button>
      </Group>
      {isTraced && <TraceDialog of={{ messageId: message.id }} onClose={tracing.close} />}
      <Title order={3} size="h5">
        {t.message}
      </Title>
      <Json label={t.message} value={message} />
      <Title order={3} size="h5">
        {t.events}
      </Title>
      <Events messageId={message.id} />
    </Stack>
  )
}

function linkTo(messageId: string): string {
  const url = new URL(location.href)
  url.search = new URLSearchParams({ message: messageId }).toString()
  return url.href
}

function Events({ messageId }: { messageId: string }) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['events', botId, 'of-message', messageId],
    queryFn: ({ signal }) => client.runtime.listEvents({ query: { messageId } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ events }) =>
        events.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t.noEvents}
          </Text>
        ) : (
          events.map((event) => <EventView key={event.id} event={event} />)
        )
      }
    </Loaded>
  )
}

function EventView({ event }: { event: Event }) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text size="sm" fw={600} className="foreign">
          {event.type}
        </Text>
        <Badge variant="default">{event.status}</Badge>
      </Group>
      {event.failureReason && (
        <Alert color="red" className="foreign">
          {event.failureReason}
        </Alert>
      )}
      {event.status === 'failed' && event.conversationId && (
        <Attempts eventId={event.id} conversationId={event.conversationId} />
      )}
      <Json label={t.events} value={event} maxHeight={240} />
    </Stack>
  )
}

/** The attempts of the event's dead letter, unless it was discarded. */
function Attempts({ eventId, conversationId }: { eventId: string; conversationId: string }) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['deadLetters', botId, 'of-event', eventId],
    queryFn: async ({ signal }) => {
      const { deadLetters } = await client.platform.listDeadLetters(
        { query: { conversationId, pageSize: 100 } },
        { signal },
      )
      const letter = deadLetters.find((each) => each.eventId === eventId)
      if (!letter) return []
      const { attempts } = await client.platform.getDeadLetter(
        { params: { id: letter.id } },
        { signal },
      )
      return attempts
    },
  })
  return (
    <Loaded query={query}>
      {(attempts) =>
        attempts.map(({ number, ms, error, stack }) => (
          <Alert key={number} color="red" title={t.attempt(number, ms)}>
            <Text size="sm" className="foreign" style={{ whiteSpace: 'pre-wrap' }}>
              {stack ?? error}
            </Text>
          </Alert>
        ))
      }
    </Loaded>
  )
}
