// A message of the emulator, with its failure and its trace.
import type { Event } from '@botstead/contract'
import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure, useId } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import { MessageView } from '../../parts/messages/message-view.tsx'
import { Redeliver, shortReason } from '../../parts/traces/failed-events.tsx'
import { TraceView } from '../../parts/traces/trace.tsx'
import type { TraceSubject } from '../../parts/traces/use-trace.ts'
import { texts } from '../../texts/texts.ts'
import { Rating, type RatingProps } from './rating.tsx'
import type { Entry } from './use-chat.ts'

export const settleMs = 1_500

/** An event that the bot failed to handle, with its trace. */
export function Failure({ event, title }: { event: Event; title: string }) {
  return (
    <Alert
      color="red"
      variant="light"
      my={4}
      w="100%"
      title={title}
      role="alert"
      // A long line of the trace would widen it.
      styles={{ body: { minWidth: 0 } }}
    >
      <Stack gap="xs">
        <Text size="sm" className="foreign" lineClamp={3}>
          {event.failureReason && shortReason(event.failureReason)}
        </Text>
        <Why of={{ eventId: event.id }} label={texts.emulator.traceOfFailure}>
          <Redeliver event={event} />
        </Why>
      </Stack>
    </Alert>
  )
}

interface EntryViewProps {
  entry: Entry
  /** The next message if it is the user's. */
  answer: unknown
  /** The event that the bot failed to handle, below its last answer. */
  failure: Event | undefined
  /** Undefined before the first message. */
  chat: Pick<RatingProps, 'webhookId' | 'session'> | undefined
  onSend: (payload: Record<string, unknown>) => void
  onResend: () => void
}

export function EntryView({
  entry,
  answer,
  failure,
  chat,
  onSend,
  onResend,
}: EntryViewProps) {
  const { payload, isOwn, state } = entry
  return (
    <Stack
      gap={2}
      align={isOwn ? 'flex-end' : 'flex-start'}
      opacity={state === 'sending' ? 0.7 : 1}
    >
      <MessageView payload={payload} isOwn={isOwn} answer={answer} send={onSend} />
      {state === 'stored' && !isOwn && (
        <Why of={{ messageId: entry.id }} label={texts.emulator.traceOf}>
          {chat && <Rating {...chat} messageId={entry.id} />}
        </Why>
      )}
      {failure && <Failure event={failure} title={texts.emulator.failed} />}
      {state === 'failed' && (
        <Group gap="xs">
          <Text size="xs" c="var(--bad)">
            {texts.emulator.notSent}
          </Text>
          <Button size="compact-xs" variant="default" onClick={onResend}>
            {texts.emulator.resend}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** Scrolls a box into view when it opens, and while its content loads. */
function useInSight(isOpen: boolean) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen || !box.current) return
    const resized = new ResizeObserver(([entry]) =>
      entry!.target.scrollIntoView({ block: 'nearest' }),
    )
    resized.observe(box.current)
    const timer = setTimeout(() => resized.disconnect(), settleMs)
    return () => {
      clearTimeout(timer)
      resized.disconnect()
    }
  }, [isOpen])
  return box
}

interface WhyProps {
  of: TraceSubject
  label: string
  /** Beside the button. */
  children?: ReactNode
}

/** The trace of an answer or a failure, below it. */
function Why({ of, label, children }: WhyProps) {
  const [isOpen, { toggle }] = useDisclosure()
  const id = useId()
  const box = useInSight(isOpen)
  return (
    <>
      <Group gap="xs" align="flex-start">
        {children}
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        >
          {label}
        </Button>
      </Group>
      <Box ref={box} id={id} hidden={!isOpen} className="panel" p="sm" my={4} w="100%">
        {isOpen && <TraceView of={of} />}
      </Box>
    </>
  )
}
