// How a bot handled an event: attempts, steps of a flow bot with changed variables, calls, answers
// and log lines.
import type { AnswerTrace } from '@botstead/contract'
import { Badge, Code, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useBot } from '../api/scope.ts'
import { texts } from '../texts/texts.ts'
import { MessageView } from './message-view.tsx'
import { exactTime } from './moment.tsx'
import { Loaded } from './states.tsx'

/** A message or an event of the bot of the page. */
export type TraceSubject = { messageId: string } | { eventId: string }

export function TraceDialog({ of, onClose }: { of: TraceSubject; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={texts.trace.title} size="lg">
      <TraceView of={of} />
    </Modal>
  )
}

/** Loads the trace and keeps it current. */
export function TraceView({ of }: { of: TraceSubject }) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['events', botId, 'trace', of],
    queryFn: async ({ signal }) => {
      if ('messageId' in of)
        return client.platform.getMessageTrace({ params: { id: of.messageId } }, { signal })
      return client.platform.getEventTrace({ params: { id: of.eventId } }, { signal })
    },
  })
  return (
    <Loaded query={query}>
      {({ trace }) => (trace ? <Trace trace={trace} /> : <Text>{texts.trace.none}</Text>)}
    </Loaded>
  )
}

function Trace({ trace }: { trace: AnswerTrace }) {
  const { event, run, failedAttempts, turn, actions, modelCalls, messages, events, logs } = trace
  return (
    <Stack>
      <Part title={texts.trace.event} count={1}>
        <Group gap="xs">
          <Code className="foreign">{event.type}</Code>
          <Badge variant="light" color={event.status === 'failed' ? 'red' : 'pine'}>
            {event.status}
          </Badge>
          <Text size="sm">{run ? texts.trace.run(run.attempts, run.ms) : texts.trace.pending}</Text>
          <Text size="sm" c="dimmed">
            {exactTime(event.createdAt)}
          </Text>
        </Group>
        {event.failureReason && (
          <Text size="sm" className="foreign">
            {event.failureReason}
          </Text>
        )}
      </Part>
      <Part title={texts.trace.failedAttempts} count={failedAttempts.length}>
        {failedAttempts.map(({ number, ms, error }) => (
          <Line key={number} label={texts.trace.attempt(number, ms)} text={error} />
        ))}
      </Part>
      {turn && <Steps turn={turn as unknown as Turn} />}
      <Calls actions={actions} modelCalls={modelCalls} />
      <Part title={texts.trace.messages} count={messages.length}>
        {messages.map(({ id, type, payload }) => (
          <MessageView key={id} payload={{ type, ...payload }} isOwn={false} />
        ))}
      </Part>
      <Part title={texts.trace.events} count={events.length}>
        {events.map(({ id, type, status }) => (
          <Line key={id} label={status} text={type} />
        ))}
      </Part>
      <Part title={texts.trace.logs} count={logs.length}>
        {logs.map(({ timestamp, level, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and keep their order
          <Line key={`${timestamp} ${index}`} label={level} text={message} />
        ))}
      </Part>
    </Stack>
  )
}

function Part({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  if (count === 0) return null
  return (
    <section aria-label={title}>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <Stack gap={4}>{children}</Stack>
    </section>
  )
}

function Line({ label, text, aside }: { label: string; text: string; aside?: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="baseline">
      <Text size="xs" c="dimmed" w={96} style={{ flexShrink: 0 }}>
        {label}
      </Text>
      <Text size="sm" className="foreign" style={{ flex: 1, overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      {aside && (
        <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
          {aside}
        </Text>
      )}
    </Group>
  )
}

/** As the flow engine writes it (packages/flows/src/trace.ts); bots could write anything. */
interface Turn {
  steps?: Step[]
  left?: number
}
interface Step {
  kind: string
  at?: number
  ms?: number
  outcome?: string
  [detail: string]: unknown
}

function Steps({ turn: { steps = [], left } }: { turn: Turn }) {
  if (!Array.isArray(steps)) return null
  return (
    <Part title={texts.trace.steps} count={steps.length}>
      {steps.map((step, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id and keep their order
          key={index}
          label={texts.trace.stepNames[step.kind] ?? String(step.kind)}
          text={textOf(step)}
          aside={texts.trace.at(step.at ?? 0, step.ms)}
        />
      ))}
      {left ? (
        <Text size="sm" c="dimmed">
          {texts.trace.left(left)}
        </Text>
      ) : null}
    </Part>
  )
}

const hidden = ['kind', 'at', 'ms', 'outcome', 'from', 'to', 'index']

function textOf(step: Step): string {
  const details = Object.entries(step)
    .filter(([name, value]) => !hidden.includes(name) && typeof value !== 'object')
    .map(([, value]) => String(value))
  const change = step.kind === 'set' ? [`${step.from} → ${step.to}`] : []
  return [...details, ...change, ...(step.outcome ? [step.outcome] : [])].join(' · ')
}

function Calls({ actions, modelCalls }: Pick<AnswerTrace, 'actions' | 'modelCalls'>) {
  return (
    <>
      <Part title={texts.trace.calls} count={actions.length}>
        {actions.map(
          ({ timestamp, integrationName, actionType, durationMs, errorMessage }, index) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: several calls may begin at one time
              key={`${timestamp} ${index}`}
              label={integrationName ?? ''}
              text={errorMessage ? `${actionType} · ${errorMessage}` : actionType}
              aside={texts.trace.ms(durationMs)}
            />
          ),
        )}
      </Part>
      <Part title={texts.trace.models} count={modelCalls.length}>
        {modelCalls.map(({ id, model, inputTokens, outputTokens, latency, error }) => (
          <Line
            key={id}
            label={model}
            text={error ?? texts.trace.tokens(inputTokens, outputTokens)}
            aside={texts.trace.ms(latency)}
          />
        ))}
      </Part>
    </>
  )
}
