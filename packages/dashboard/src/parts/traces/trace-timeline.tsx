// The work of a bot's code while it handled an event, by time: calls, changed states, actions,
// models, answers and log lines.
import type { AnswerTrace } from '@botstead/contract'
import { Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { toText } from '../messages/message-text.ts'
import { toPlainWords } from '../messages/plain-words.ts'
import { TraceLine, TracePart } from './trace-parts.tsx'

interface Entry {
  /** Milliseconds since 1970. */
  at: number
  ms?: number
  label: string
  text: string
  raw?: string
  detail?: string | undefined
  isFailed?: boolean
}

export function Timeline({ trace }: { trace: AnswerTrace }) {
  const attempts = toAttempts(trace)
  return attempts.map(({ title, from, entries }) => (
    <TracePart key={from} title={title} count={1}>
      {entries.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.trace.timelineEmpty}
        </Text>
      )}
      {entries.map(({ at, ms, ...line }, index) => (
        <TraceLine
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and keep their order
          key={index}
          {...line}
          aside={texts.trace.at(Math.max(0, at - from), ms)}
        />
      ))}
    </TracePart>
  ))
}

interface Attempt {
  title: string
  /** Milliseconds since 1970. */
  from: number
  entries: Entry[]
}

/**
 * The entries of each attempt, by the times at which the attempts began. Attempts of a delivery that
 * the bot rejected are not kept, so entries before the first known attempt are one group. A failed
 * attempt that did nothing else has none: the list of failed attempts shows it.
 */
function toAttempts(trace: AnswerTrace): Attempt[] {
  const { failedAttempts, run, event } = trace
  const failed = new Map(
    failedAttempts.map(({ startedAt, number }) => [
      Date.parse(startedAt),
      texts.trace.attemptFailed(number),
    ]),
  )
  const starts = new Map(failed)
  const lastStart = run && Date.parse(run.startedAt)
  if (lastStart !== undefined && !failed.has(lastStart))
    starts.set(
      lastStart,
      event.status === 'failed'
        ? texts.trace.attemptFailed(run!.attempts)
        : texts.trace.attempt(run!.attempts),
    )
  const stacks = new Set(failedAttempts.map(({ stack }) => stack?.trim()))
  // The failed attempts above it show these errors.
  const entries = toEntries(trace).filter(
    ({ isFailed, text }) => !isFailed || !stacks.has(text.trim()),
  )
  const known = [...starts].sort(([one], [other]) => one - other)
  const first = known[0]?.[0]
  // By the clock of the server: the database may have another one.
  const earlier = [...getCalls(trace), ...getLogs(trace)].filter(
    ({ at }) => at < (first ?? 0),
  )
  if (earlier.length > 0) known.unshift([0, texts.trace.earlier])
  if (known.length < 2)
    return [
      {
        title: texts.trace.timeline,
        from: first ?? Date.parse(event.createdAt),
        entries,
      },
    ]
  return known.flatMap(([from, title], index) => {
    const end = known[index + 1]?.[0] ?? Number.POSITIVE_INFINITY
    const inside = entries.filter(({ at }) => at >= from && at < end)
    if (failed.has(from) && inside.length === 0) return []
    return [{ title, from: from || (inside[0]?.at ?? 0), entries: inside }]
  })
}

/** Returns all lists of the trace as one, oldest first. */
const toEntries = (trace: AnswerTrace): Entry[] =>
  [
    ...getCalls(trace),
    ...getChanges(trace),
    ...getActions(trace),
    ...getModels(trace),
    ...toEffects(trace),
    ...getLogs(trace),
  ].sort((a, b) => a.at - b.at)

const { kinds } = texts.trace

const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' · ')

const getCalls = ({ calls }: AnswerTrace): Entry[] =>
  calls.map(({ startedAt, ms, operation, subject, integration, status, error }) => ({
    at: Date.parse(startedAt),
    ms,
    label: kinds.call,
    text: joined(toPlainWords(operation), integration),
    raw: operation,
    detail: joined(subject, status < 400 ? undefined : texts.trace.failed(status), error),
    isFailed: status >= 400,
  }))

const getChanges = ({ changes }: AnswerTrace): Entry[] =>
  changes.map(({ at, state, key, from, to }) => ({
    at: Date.parse(at),
    label: kinds.change,
    raw: state,
    text: joined(key, toPlainWords(state)),
    detail: texts.trace.change(from ?? texts.trace.noValue, to ?? texts.trace.noValue),
  }))

const getActions = ({ actions }: AnswerTrace): Entry[] =>
  actions.map((run) => ({
    at: Date.parse(run.timestamp),
    ms: run.durationMs,
    label: kinds.action,
    raw: run.actionType,
    text: joined(
      toPlainWords(run.actionType),
      run.integrationName,
      run.cached ? texts.trace.cached : undefined,
    ),
    detail:
      run.errorMessage ?? texts.trace.change(shortJson(run.input), shortJson(run.output)),
    isFailed: run.status === 'FAILURE',
  }))

const shortJson = (value: unknown) => {
  const text = JSON.stringify(value) ?? ''
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

const getModels = ({ modelCalls }: AnswerTrace): Entry[] =>
  modelCalls.map(({ createdAt, latency, model, error, outcome, ...call }) => ({
    at: Date.parse(createdAt),
    ms: latency,
    label: kinds.model,
    text: model,
    detail: error ?? texts.trace.modelUse(call),
    isFailed: outcome !== 'ok',
  }))

const toEffects = ({ messages, events }: AnswerTrace): Entry[] => [
  ...messages.map((message) => ({
    at: Date.parse(message.createdAt),
    label: kinds.message,
    text: toText(message),
  })),
  ...events.map(({ createdAt, type, status }) => ({
    at: Date.parse(createdAt),
    label: kinds.event,
    raw: type,
    text: joined(toPlainWords(type), status),
  })),
]

const getLogs = ({ logs }: AnswerTrace): Entry[] =>
  logs.map(({ timestamp, level, message }) => ({
    at: Date.parse(timestamp),
    label: texts.trace.levels[level] ?? level,
    text: message,
    isFailed: level === 'error',
  }))
