// The work of a bot's code while it handled an event, by time: calls, changed states, actions,
// models, answers and log lines.
import type { AnswerTrace } from '@botstead/contract'
import { Text } from '@mantine/core'
import { texts } from '../texts/texts.ts'
import { textOf } from './message-text.ts'
import { TraceLine, TracePart } from './trace-parts.tsx'

interface Entry {
  /** Milliseconds since 1970. */
  at: number
  ms?: number
  label: string
  text: string
  detail?: string | undefined
  isFailed?: boolean
}

export function Timeline({ trace }: { trace: AnswerTrace }) {
  const entries = entriesOf(trace)
  const from = Date.parse(trace.run?.startedAt ?? trace.event.createdAt)
  return (
    <TracePart title={texts.trace.timeline} count={1}>
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
  )
}

/** Returns all lists of the trace as one, oldest first. */
const entriesOf = (trace: AnswerTrace): Entry[] =>
  [
    ...callsOf(trace),
    ...changesOf(trace),
    ...actionsOf(trace),
    ...modelsOf(trace),
    ...effectsOf(trace),
    ...logsOf(trace),
  ].sort((a, b) => a.at - b.at)

const { kinds } = texts.trace

const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' · ')

const callsOf = ({ calls }: AnswerTrace): Entry[] =>
  calls.map(({ startedAt, ms, operation, subject, integration, status, error }) => ({
    ...{ at: Date.parse(startedAt), ms, label: kinds.call },
    text: joined(operation, integration),
    detail: joined(subject, status < 400 ? undefined : texts.trace.failed(status), error),
    isFailed: status >= 400,
  }))

const changesOf = ({ changes }: AnswerTrace): Entry[] =>
  changes.map(({ at, state, key, from, to }) => ({
    ...{ at: Date.parse(at), label: kinds.change, text: joined(key, state) },
    detail: texts.trace.change(from ?? texts.trace.noValue, to ?? texts.trace.noValue),
  }))

const actionsOf = ({ actions }: AnswerTrace): Entry[] =>
  actions.map((run) => ({
    ...{ at: Date.parse(run.timestamp), ms: run.durationMs, label: kinds.action },
    text: joined(run.actionType, run.integrationName, run.cached ? texts.trace.cached : undefined),
    detail: run.errorMessage ?? texts.trace.change(shortJson(run.input), shortJson(run.output)),
    isFailed: run.status === 'FAILURE',
  }))

const shortJson = (value: unknown) => {
  const text = JSON.stringify(value) ?? ''
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

const modelsOf = ({ modelCalls }: AnswerTrace): Entry[] =>
  modelCalls.map(({ createdAt, latency, model, error, outcome, ...call }) => ({
    ...{ at: Date.parse(createdAt), ms: latency, label: kinds.model, text: model },
    detail: error ?? texts.trace.modelUse(call),
    isFailed: outcome !== 'ok',
  }))

const effectsOf = ({ messages, events }: AnswerTrace): Entry[] => [
  ...messages.map((message) => ({
    ...{ at: Date.parse(message.createdAt), label: kinds.message, text: textOf(message) },
  })),
  ...events.map(({ createdAt, type, status }) => ({
    ...{ at: Date.parse(createdAt), label: kinds.event, text: joined(type, status) },
  })),
]

const logsOf = ({ logs }: AnswerTrace): Entry[] =>
  logs.map(({ timestamp, level, message }) => ({
    ...{ at: Date.parse(timestamp), label: level, text: message, isFailed: level === 'error' },
  }))
