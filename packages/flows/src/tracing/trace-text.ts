// Formats a turn's trace as text: one line for each step, indented below its card.
import type { TracedStep, TurnTrace } from './trace.ts'

export function traceText({
  event,
  startedAt,
  ms,
  outcome,
  steps,
  troubles,
  left,
}: TurnTrace): string {
  const at = startedAt.slice(0, 19).replace('T', ' ')
  const head = `${at}  ${event.type}  ${quoted(event.preview)}  ${event.id}`
  const hidden = left ? `; ${left} more steps are not shown` : ''
  const end = `${' '.repeat(indents.end)}${outcome} in ${ms} ms${hidden}`
  return [
    head,
    ...steps.map(stepText),
    ...troubles.map(
      ({ where, message }) => `  ! ${where}: ${message.replaceAll('\n', '\n    ')}`,
    ),
    end,
  ].join('\n')
}

const indents = {
  hook: 2,
  node: 2,
  end: 2,
  card: 4,
  said: 6,
  heard: 6,
  call: 6,
  model: 6,
  tool: 6,
  set: 6,
  note: 6,
}

/** Indents a `beforeOutgoing` hook below the card that sends the message. */
const toIndent = (step: TracedStep) =>
  step.kind === 'hook' && step.hook === 'beforeOutgoing'
    ? indents.said
    : indents[step.kind]

function stepText(step: TracedStep): string {
  const indent = ' '.repeat(toIndent(step))
  const timing = step.ms ? `  ${step.ms} ms` : ''
  const outcome = step.outcome === undefined ? '' : `  (${step.outcome})`
  return `${indent}${words(step)}${timing}${outcome}`.replaceAll('\n', `\n${indent}  `)
}

function words(step: TracedStep): string {
  switch (step.kind) {
    case 'node':
      return `${step.flow} / ${step.node}`
    case 'card':
      return `${step.index + 1}. ${step.type}${step.name ? ` "${step.name}"` : ''}${
        step.when === undefined ? '' : `: ${step.when} → ${step.to}`
      }`
    case 'hook':
      return `hook ${step.hook}${step.name ? ` "${step.name}"` : ''}`
    case 'said':
      return `sends ${step.type === 'text' ? '' : `${step.type} `}${quoted(step.text)}`
    case 'heard':
      return `answer: ${step.value}`
    case 'call':
      return `calls ${step.what}`
    case 'model':
      return `model ${step.model}${useText(step)}`
    case 'tool':
      return `tool ${step.tool} ${step.input}`
    case 'set':
      return `${step.variable}: ${step.from} → ${step.to}`
    case 'note':
      return step.text
  }
}

type ModelStep = Extract<TracedStep, { kind: 'model' }>

const useText = ({ inputTokens, outputTokens, cost = 0, cached }: ModelStep) =>
  inputTokens === undefined
    ? ''
    : `: ${inputTokens} + ${outputTokens} tokens, $${+cost.toPrecision(3)}${cached ? ', cached' : ''}`

const quoted = (text: string) => (text.includes('\n') ? `\n${text}` : `"${text}"`)
