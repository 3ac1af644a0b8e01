// A message as JSON, with the trace of its answer and its events.
import type { Event, Message } from '@botstead/contract'
import {
  Alert,
  Badge,
  Button,
  CopyButton,
  Group,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { JsonDetails } from '../../parts/forms/json-details.tsx'
import { Json } from '../../parts/forms/json-view.tsx'
import { toPlainWords } from '../../parts/messages/plain-words.ts'
import { Loaded } from '../../parts/states.tsx'
import { Attempts } from '../../parts/traces/attempts.tsx'
import { TraceView } from '../../parts/traces/trace.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.conversations

export function MessageDetails({ id }: { id: string }) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['messages', botId, 'one', id],
    queryFn: ({ signal }) => client.runtime.getMessage({ params: { id } }, { signal }),
  })
  return <Loaded query={query}>{({ message }) => <Details message={message} />}</Loaded>
}

function Details({ message }: { message: Message }) {
  const isReader = useMay()('data.read')
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
      </Group>
      {isReader && (
        <>
          <Title order={3} size="h5">
            {texts.trace.title}
          </Title>
          <TraceView of={{ messageId: message.id }} />
          <FailedAttempts messageId={message.id} />
        </>
      )}
      {isReader && message.direction === 'incoming' && (
        <>
          <Title order={3} size="h5">
            {t.events}
          </Title>
          <Events messageId={message.id} />
        </>
      )}
      <JsonDetails title={t.json} value={message} />
    </Stack>
  )
}

/** Of sending the message through its integration; the trace has those of its event. */
function FailedAttempts({ messageId }: { messageId: string }) {
  const { botId, client } = useBot()
  const { data } = useQuery({
    // The same request as that of the trace.
    queryKey: ['events', botId, 'trace', { messageId }],
    queryFn: ({ signal }) =>
      client.platform.getMessageTrace({ params: { id: messageId } }, { signal }),
  })
  if (!data || data.failedAttempts.length === 0) return null
  return (
    <>
      <Title order={3} size="h5">
        {t.failedAttempts}
      </Title>
      <Attempts attempts={data.failedAttempts} />
    </>
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
    queryFn: ({ signal }) =>
      client.runtime.listEvents({ query: { messageId } }, { signal }),
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
        <Text size="sm" fw={600} className="foreign" title={event.type}>
          {toPlainWords(event.type)}
        </Text>
        <Badge variant="light" color={event.status === 'failed' ? 'red' : 'pine'}>
          {texts.trace.statuses[event.status]}
        </Badge>
      </Group>
      {event.failureReason && (
        <Alert color="red" className="foreign">
          {event.failureReason}
        </Alert>
      )}
      <Json label={t.events} value={event} maxHeight={240} />
    </Stack>
  )
}
