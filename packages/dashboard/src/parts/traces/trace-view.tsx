// How a bot handled an event: failed attempts, then the steps of a flow bot with changed variables,
// or the timeline of a bot with code.
import type { AnswerTrace } from '@botstead/contract'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { Folded } from '../folded.tsx'
import { JsonDetails } from '../forms/json-details.tsx'
import { MessageView } from '../messages/message-view.tsx'
import { toPlainWords } from '../messages/plain-words.ts'
import { AnswersLink } from '../objects/object-links.tsx'
import { Loaded } from '../states.tsx'
import { exactClock, exactTime } from '../texts/moment.tsx'
import { Attempts } from './attempts.tsx'
import { Redeliver } from './failed-events.tsx'
import { TraceLine, TracePart } from './trace-parts.tsx'
import { Timeline } from './trace-timeline.tsx'
import { TracedSearches } from './traced-search.tsx'
import { type TraceSubject, useTrace } from './use-trace.ts'

/** Loads the trace and keeps it current. */
export function TraceView({ of }: { of: TraceSubject }) {
  const query = useTrace(of)
  return (
    <Loaded query={query}>
      {({ trace }) =>
        trace ? (
          <Trace trace={trace} isFolded={'messageId' in of && !hasTrouble(trace)} />
        ) : (
          <Text>{texts.trace.none}</Text>
        )
      }
    </Loaded>
  )
}

/** The work of code is its explanation; that of a flow is one for programmers, unless it failed. */
const hasTrouble = ({ event, turn, failedAttempts }: AnswerTrace) =>
  !turn ||
  event.status === 'failed' ||
  failedAttempts.length > 0 ||
  ((turn as Turn).troubles?.length ?? 0) > 0

function Trace({ trace, isFolded }: { trace: AnswerTrace; isFolded: boolean }) {
  const steps = toSteps(trace.turn as Turn | null)
  return (
    <Stack>
      <TracedSearches steps={steps} />
      {isFolded ? (
        <>
          <Notes steps={steps} />
          <Folded title={texts.trace.details}>
            <Details trace={trace} />
          </Folded>
        </>
      ) : (
        <Details trace={trace} />
      )}
    </Stack>
  )
}

function Details({ trace }: { trace: AnswerTrace }) {
  const { failedAttempts, turn } = trace
  return (
    <Stack>
      <Handling trace={trace} />
      <TracePart title={texts.trace.failedAttempts} count={failedAttempts.length}>
        <Attempts attempts={failedAttempts} />
      </TracePart>
      {turn ? (
        <FlowTrace trace={trace} turn={turn as unknown as Turn} />
      ) : (
        <Timeline trace={trace} />
      )}
      <JsonDetails title={texts.trace.json} value={trace} />
    </Stack>
  )
}

/** Sentences of the engine, such as that a curated answer has answered. */
const Notes = ({ steps }: { steps: Step[] }) =>
  steps
    .filter(({ kind, text }) => kind === 'note' && typeof text === 'string')
    .map(({ text, curatedAnswer }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: notes have no id and keep their order
      <Text key={index} size="sm" className="foreign">
        {typeof curatedAnswer?.question === 'string' ? (
          <CuratedNote question={curatedAnswer.question} />
        ) : (
          String(text)
        )}
      </Text>
    ))

const CuratedNote = ({ question }: { question: string }) => (
  <>
    {texts.trace.curatedAnswer} <AnswersLink search={question}>{question}</AnswersLink>
  </>
)

function Handling({ trace }: { trace: AnswerTrace }) {
  const { event, run, version } = trace
  return (
    <TracePart title={texts.trace.event} count={1}>
      <Group gap="xs">
        <Text size="sm" fw={600} className="foreign" title={event.type}>
          {toPlainWords(event.type)}
        </Text>
        <Badge variant="light" color={event.status === 'failed' ? 'red' : 'pine'}>
          {texts.trace.statuses[event.status]}
        </Badge>
        <HandledErrors trace={trace} />
        <Text size="sm">
          {run ? texts.trace.run(run.attempts, run.ms) : texts.trace.pending}
        </Text>
        <Text size="sm" c="dimmed">
          {exactTime(run?.startedAt ?? event.createdAt)}
        </Text>
      </Group>
      {version && (
        <Text size="sm" c="dimmed" className="foreign">
          {texts.trace.answeredBy(version.number, version.name)}
        </Text>
      )}
      {event.failureReason && (
        <Text size="sm" className="foreign">
          {event.failureReason}
        </Text>
      )}
      <Redeliver event={event} />
    </TracePart>
  )
}

/** Marks an event that was handled although code of the author failed. */
function HandledErrors({ trace: { event, turn } }: { trace: AnswerTrace }) {
  const { troubles } = (turn ?? {}) as Turn
  if (event.status === 'failed' || !Array.isArray(troubles) || troubles.length === 0)
    return null
  const hasFailedHook = troubles.some(({ where }) => String(where).startsWith('the hook'))
  return (
    <Badge color="yellow" variant="light" c="var(--mantine-color-text)">
      {hasFailedHook ? texts.trace.hookFailed : texts.trace.codeFailed}
    </Badge>
  )
}

/** The steps of the flows; the calls of models have their costs in addition. */
function FlowTrace({ trace, turn }: { trace: AnswerTrace; turn: Turn }) {
  const { actions, modelCalls, messages, events } = trace
  return (
    <>
      <Steps turn={turn} />
      <Troubles turn={turn} />
      <Calls actions={actions} modelCalls={modelCalls} />
      <TracePart title={texts.trace.messages} count={messages.length}>
        {messages.map(({ id, type, payload }) => (
          <MessageView key={id} payload={{ type, ...payload }} isOwn={false} />
        ))}
      </TracePart>
      <TracePart title={texts.trace.events} count={events.length}>
        {events.map(({ id, type, status }) => (
          <TraceLine key={id} label={status} text={toPlainWords(type)} raw={type} />
        ))}
      </TracePart>
      {toAttempts(trace).map(({ number, lines }, _, all) => (
        <TracePart
          key={number}
          title={all.length > 1 ? texts.trace.logsOf(number) : texts.trace.logs}
          count={lines.length}
        >
          {lines.map(({ timestamp, level, message }, index) => (
            <TraceLine
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and keep their order
              key={`${timestamp} ${index}`}
              label={texts.trace.levels[level] ?? level}
              text={message}
              aside={exactClock(timestamp)}
              isFailed={level === 'error'}
            />
          ))}
        </TracePart>
      ))}
    </>
  )
}

/** The log lines of each attempt, by the times at which the attempts began. */
function toAttempts({ logs, failedAttempts, run }: AnswerTrace) {
  const starts = [...failedAttempts, ...(run ? [run] : [])]
    .map(({ startedAt }) => startedAt)
    .sort()
  const countBefore = (at: string) => starts.filter((start) => start <= at).length
  const byAttempt = new Map<number, AnswerTrace['logs']>()
  for (const line of logs) {
    const number = Math.max(1, countBefore(line.timestamp))
    byAttempt.set(number, [...(byAttempt.get(number) ?? []), line])
  }
  return [...byAttempt].map(([number, lines]) => ({ number, lines }))
}

/** As the flow engine writes it (packages/flows/src/tracing/trace.ts); bots could write anything. */
interface Turn {
  steps?: Step[]
  troubles?: { where: string; message: string }[]
  left?: number
}
interface Step {
  kind: string
  at?: number
  ms?: number
  outcome?: string
  curatedAnswer?: { question?: unknown }
  [detail: string]: unknown
}

/** Errors of cards and hooks, also those that the flow handled. */
function Troubles({ turn: { troubles = [] } }: { turn: Turn }) {
  if (!Array.isArray(troubles)) return null
  return (
    <TracePart title={texts.trace.errors} count={troubles.length}>
      {troubles.map(({ where, message }, index) => (
        <TraceLine
          // biome-ignore lint/suspicious/noArrayIndexKey: errors have no id and keep their order
          key={index}
          label={texts.trace.error}
          text={texts.common.labelled(where, message)}
          isFailed
        />
      ))}
    </TracePart>
  )
}

const toSteps = (turn: Turn | null) => (Array.isArray(turn?.steps) ? turn.steps : [])

function Steps({ turn }: { turn: Turn }) {
  const { left } = turn
  const steps = toSteps(turn)
  return (
    <TracePart title={texts.trace.steps} count={steps.length}>
      {steps.map((step, index) => (
        <TraceLine
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id and keep their order
          key={index}
          label={texts.trace.stepNames[step.kind] ?? String(step.kind)}
          text={toText(step)}
          raw={toRawName(step)}
          isFailed={step.outcome === 'failed'}
          aside={texts.trace.at(step.at ?? 0, step.ms)}
        />
      ))}
      {left ? (
        <Text size="sm" c="dimmed">
          {texts.trace.left(left)}
        </Text>
      ) : null}
    </TracePart>
  )
}

/** Details that name something of the engine. */
const machineNames = ['type', 'hook', 'what']

const toRawName = (step: Step) => {
  const name = machineNames
    .map((each) => step[each])
    .find((each) => typeof each === 'string')
  return name as string | undefined
}

const hidden = ['kind', 'at', 'ms', 'outcome', 'from', 'to', 'when', 'index']

function toText(step: Step): string {
  if (step.kind === 'heard')
    return texts.trace.answers[String(step.value)] ?? String(step.value)
  const details = Object.entries(step)
    .filter(([name, value]) => !hidden.includes(name) && typeof value !== 'object')
    .map(([name, value]) =>
      machineNames.includes(name) ? toPlainWords(String(value)) : String(value),
    )
  const before = step.kind === 'set' ? step.from : step.when
  const change = step.to === undefined ? [] : [`${before} → ${step.to}`]
  return [...details, ...change, ...(step.outcome ? [step.outcome] : [])].join(' · ')
}

function Calls({ actions, modelCalls }: Pick<AnswerTrace, 'actions' | 'modelCalls'>) {
  return (
    <>
      <TracePart title={texts.trace.calls} count={actions.length}>
        {actions.map(
          (
            { timestamp, integrationName, actionType, durationMs, errorMessage },
            index,
          ) => (
            <TraceLine
              // biome-ignore lint/suspicious/noArrayIndexKey: several calls may begin at one time
              key={`${timestamp} ${index}`}
              label={integrationName ?? ''}
              text={[toPlainWords(actionType), errorMessage].filter(Boolean).join(' · ')}
              raw={actionType}
              aside={texts.trace.ms(durationMs)}
            />
          ),
        )}
      </TracePart>
      <TracePart title={texts.trace.models} count={modelCalls.length}>
        {modelCalls.map(({ id, model, latency, error, ...call }) => (
          <TraceLine
            key={id}
            label={model}
            text={error ?? texts.trace.modelUse(call)}
            aside={texts.trace.ms(latency)}
          />
        ))}
      </TracePart>
    </>
  )
}
