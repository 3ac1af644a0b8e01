import type { ModelCall } from '@botstead/contract'

type ModelUse = Pick<ModelCall, 'inputTokens' | 'outputTokens' | 'cost' | 'cached'>

export const trace = {
  title: 'Trace',
  none: 'No event of a user caused this message.',
  event: 'Event',
  status: 'Status',
  run: (attempts: number, ms: number) =>
    attempts === 1 ? `Handled in ${ms} ms` : `Attempt ${attempts} took ${ms} ms`,
  pending: 'Not handled yet',
  failedAttempts: 'Failed attempts',
  attempt: (number: number) => `Attempt ${number}`,
  stack: 'Stack trace',
  timeline: 'Timeline',
  timelineEmpty: 'The code made no calls, and sent no message.',
  kinds: {
    call: 'Call',
    change: 'State',
    action: 'Action',
    model: 'Model',
    message: 'Sent',
    event: 'Event',
  },
  failed: (status: number) => `failed with ${status}`,
  change: (from: string, to: string) => `${from} → ${to}`,
  noValue: 'nothing',
  cached: 'cached',
  modelUse: ({ inputTokens, outputTokens, cost, cached }: ModelUse) =>
    `${inputTokens} + ${outputTokens} tokens, $${Number(cost.toPrecision(3))}${cached ? ', cached' : ''}`,
  steps: 'Steps',
  calls: 'Calls',
  models: 'Models',
  messages: 'Messages',
  events: 'Events',
  logs: 'Log lines',
  ms: (ms: number) => `${ms} ms`,
  at: (at: number, ms?: number) => (ms === undefined ? `+${at} ms` : `+${at} ms, ${ms} ms`),
  stepNames: {
    node: 'Node',
    card: 'Card',
    hook: 'Hook',
    said: 'Sent',
    heard: 'Received',
    call: 'Call',
    model: 'Model',
    tool: 'Tool',
    set: 'Variable',
    note: 'Note',
  } as Record<string, string>,
  explainSearch: 'Explain this search',
  noPassages: 'No passages were found.',
  found: (name: string, page: number | undefined, score: number) =>
    `${name}${page === undefined ? '' : `, page ${page}`} (${score.toFixed(2)})`,
  left: (count: number) => `${count} more steps`,
}
