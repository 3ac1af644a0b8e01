import type { ModelCall } from '@botstead/contract'
import { inLanguage } from '../../in-language.ts'
import { amount, thousands } from '../amount.ts'

type ModelUse = Pick<ModelCall, 'inputTokens' | 'outputTokens' | 'cost' | 'cached'>

export const trace = inLanguage('trace', {
  title: 'Trace',
  none: 'No event of a user caused this message.',
  event: 'Event',
  statuses: {
    pending: 'pending',
    processed: 'processed',
    ignored: 'ignored',
    failed: 'failed',
    scheduled: 'scheduled',
    canceled: 'canceled',
  },
  status: 'Status',
  run: (attempts: number, ms: number) =>
    attempts === 1 ? `Handled in ${ms} ms` : `Attempt ${attempts} took ${ms} ms`,
  pending: 'Not handled yet',
  failedAttempts: 'Failed attempts',
  attempt: (number: number) => `Attempt ${number}`,
  attemptFailed: (number: number) => `Attempt ${number} failed`,
  earlier: 'Before the redelivery',
  answeredBy: (number: number | undefined, name: string) =>
    `Handled by version ${number === undefined ? name : `#${number} ${name}`}`,
  levels: { debug: 'Debug', info: 'Log', warn: 'Warning', error: 'Error' } as Record<
    string,
    string
  >,
  innerFrames: (count: number) =>
    amount(count, 'frame of the server and Node', 'frames of the server and Node'),
  hookFailed: 'A hook failed',
  codeFailed: 'Code failed',
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
  logsOf: (attempt: number) => `Log lines of attempt ${attempt}`,
  errors: 'Errors',
  error: 'Error',
  ms: (ms: number) => `${thousands(ms)} ms`,
  at: (at: number, ms?: number) =>
    ms === undefined
      ? `at ${thousands(at)} ms`
      : `at ${thousands(at)} ms, took ${thousands(ms)} ms`,
  stepNames: {
    node: 'Node',
    card: 'Card',
    hook: 'Hook',
    said: 'Sent',
    heard: 'Answer',
    call: 'Call',
    model: 'Model',
    tool: 'Tool',
    set: 'Variable',
    note: 'Note',
  } as Record<string, string>,
  json: 'Trace as JSON',
  details: 'Details for programmers',
  /** Events, types of messages and hooks. Other names are written as words. */
  names: {
    message_created: 'Message received',
    message_updated: 'Message changed',
    message_deleted: 'Message deleted',
    conversation_started: 'Conversation started',
    participant_added: 'Participant added',
    state_expired: 'State expired',
    child_workflow_finished: 'Part of a workflow finished',
  } as Record<string, string>,
  /** Of a user, to the question of a card. */
  answers: {
    captured: 'Accepted as the answer to the question',
    again: 'Did not answer the question. The bot asked again',
    failed: 'Did not answer the question. The flow continued',
    cancelled: 'The user cancelled',
  } as Record<string, string>,
  curatedAnswer: 'Sent: your answer to',
  found: 'Passages found',
  explainSearch: 'Explain this search',
  noPassages: 'No passages were found.',
  nonePassed: (score: string, minScore: number) =>
    `No passage reached the minimum score of its knowledge base. The best one has the score ${score}; ` +
    `the minimum is ${minScore}.`,
  passage: (
    name: string,
    page: number | undefined,
    score: string,
    minScore: number | null,
  ) =>
    `${name}${page === undefined ? '' : `, page ${page}`} (score ${score}${
      minScore === null ? '' : `, below the minimum ${minScore}: not used`
    })`,
  left: (count: number) => `${thousands(count)} more steps`,
})
