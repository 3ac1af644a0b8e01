// One dead letter: its attempts and payload; redeliver, edit, discard.
import type { Output, platform } from '@botstead/contract'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { parseObject } from '../../parts/forms/json-object.ts'
import { Json } from '../../parts/forms/json-view.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { ConversationLink } from '../../parts/objects/object-links.tsx'
import { Loaded } from '../../parts/states.tsx'
import { Attempts } from '../../parts/traces/attempts.tsx'
import { useTraced } from '../../parts/traces/use-trace.ts'
import { texts } from '../../texts/texts.ts'

type Found = Output<typeof platform.deadLetters.getDeadLetter>

export function DeadLetterDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { botId, client } = useBot()
  const [traced] = useTraced()
  const query = useQuery({
    queryKey: ['deadLetters', botId, 'one', id],
    queryFn: ({ signal }) =>
      client.platform.getDeadLetter({ params: { id } }, { signal }),
    retry: false,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      // Escape closes the trace first.
      closeOnEscape={!traced}
      title={texts.deliveries.dialog}
      size="lg"
    >
      <Loaded query={query}>
        {(found) => <Content found={found} onClose={onClose} />}
      </Loaded>
    </Modal>
  )
}

/** The payload that can be edited; an event of a message shows its message. */
function toPayload({ event, message, deadLetter }: Found): unknown {
  if (deadLetter.kind === 'change') return undefined
  const inEvent = event?.payload as { message?: { payload?: unknown } } | undefined
  if (event?.type === 'message_created') return inEvent?.message?.payload
  return event ? event.payload : message?.payload
}

/** The message to show in the conversation. */
const toMessage = ({ deadLetter, event }: Found) =>
  deadLetter.messageId ?? event?.messageId

function Content({ found, onClose }: { found: Found; onClose: () => void }) {
  const { deadLetter, attempts } = found
  const { eventId } = deadLetter
  const [, setTraced] = useTraced()
  const payload = toPayload(found)
  return (
    <Stack>
      <Text className="foreign">{deadLetter.reason}</Text>
      <Group gap="sm">
        {deadLetter.conversationId && (
          <ConversationLink id={deadLetter.conversationId} messageId={toMessage(found)}>
            {texts.deliveries.toConversation}
          </ConversationLink>
        )}
        {eventId && (
          <Button size="compact-sm" variant="default" onClick={() => setTraced(eventId)}>
            {texts.deliveries.trace}
          </Button>
        )}
      </Group>
      <Attempts attempts={attempts} />
      {payload !== undefined && (
        <Payload id={deadLetter.id} payload={payload} onClose={onClose} />
      )}
      <Actions id={deadLetter.id} onClose={onClose} />
    </Stack>
  )
}

interface PayloadProps {
  id: string
  payload: unknown
  onClose: () => void
}

function Payload({ id, payload, onClose }: PayloadProps) {
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const [text, setText] = useState(() => JSON.stringify(payload, null, 2))
  const edited = parseObject(text)
  const redeliver = useMutation({
    mutationFn: () =>
      client.platform.redeliverEditedDeadLetter({
        params: { id },
        body: { botId, payload: edited! },
      }),
    onSuccess: () => {
      notifyDone(texts.deliveries.redelivered)
      onClose()
    },
  })
  if (!isEditor) return <Json label={texts.deliveries.payload} value={payload} />
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {texts.deliveries.payload}
      </Text>
      <Json label={texts.deliveries.payload} value={text} onChange={setText} />
      {!edited && <Text size="sm">{texts.common.errors.invalidJson}</Text>}
      <ActionError error={redeliver.error} />
      <Group justify="flex-end">
        <Button
          variant="default"
          disabled={!edited}
          loading={redeliver.isPending}
          onClick={() => redeliver.mutate()}
        >
          {texts.deliveries.edit}
        </Button>
      </Group>
    </Stack>
  )
}

function Actions({ id, onClose }: { id: string; onClose: () => void }) {
  const { client } = useBot()
  const isEditor = useMay()('data.write')
  const act = useMutation({
    mutationFn: (action: 'redeliver' | 'discard') =>
      action === 'redeliver'
        ? client.platform.redeliverDeadLetter({ params: { id }, body: {} })
        : client.platform.discardDeadLetter({ params: { id } }),
    onSuccess: (_, action) => {
      const { redelivered, discarded } = texts.deliveries
      notifyDone(action === 'redeliver' ? redelivered : discarded)
      onClose()
    },
  })
  if (!isEditor) return null
  return (
    <Stack gap="xs">
      <Group justify="flex-end">
        <Button
          variant="default"
          c="var(--bad)"
          loading={act.isPending}
          onClick={() => act.mutate('discard')}
        >
          {texts.deliveries.discard}
        </Button>
        <Button loading={act.isPending} onClick={() => act.mutate('redeliver')}>
          {texts.deliveries.redeliver}
        </Button>
      </Group>
      <ActionError error={act.error} />
    </Stack>
  )
}
