// One delivery: whom it is for, the call, and what its answer means. The order of deliveries, their repetition and their rows are the queue's.
import { setTimeout as pause } from 'node:timers/promises'
import type { Event } from '@botstead/contract'
import type { Logger } from 'pino'
import { appendBotLogs } from '../bots/bot-logs.ts'
import { isAway } from '../db/away.ts'
import type { Database, Db } from '../db/open.ts'
import type { IssueCode } from '../insights/issues.ts'
import { type FailureReason, InvocationFailed } from '../invocation/invocation.ts'
import { newId } from '../lib/ids.ts'
import { longestReason, storableText } from '../lib/storable-text.ts'
import { findEvent } from '../messaging/event-shown.ts'
import { findWrittenMessage, type WrittenMessage } from '../messaging/message-writer.ts'
import { conversationShown, messageShown, userShown } from '../messaging/shown.ts'
import { findToldChange, removeToldChange } from '../messaging/told-changes.ts'
import { type Enqueued, mayHaveBegun, type Outcome } from '../queue/deliveries.ts'
import type { Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { goOn } from '../workflows/loop.ts'
import { isWorkflowLane } from '../workflows/news.ts'
import { updateToTell } from '../workflows/updates.ts'
import type { Invoker, Reply } from './invoker.ts'
import type { BotTarget, Targets } from './targets.ts'

export interface DeliveryDeps {
  db: Db
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  invoker: Invoker
  targets: Targets
  limitedCalls: Pick<Services['limitedCalls'], 'watch'>
  log: Logger
  /** How often a delivery that failed is tried again. */
  retries: number
}

export async function deliver(deps: DeliveryDeps, delivery: Enqueued): Promise<Outcome> {
  try {
    const outcome = await deliverers[delivery.kind](deps, delivery)
    if (isWorkflowLane(delivery.lane)) await continueWorkflow(deps, delivery, outcome)
    return outcome
  } catch (error) {
    // Nobody was called, for what is needed for that could not be read; or what follows could not be written, and is as if it had not happened.
    if (isAway(error)) return { result: 'postponed', reason: 'The database is not available' }
    throw error
  }
}

async function deliverEvent(deps: DeliveryDeps, delivery: Enqueued): Promise<Outcome> {
  const target = await deps.targets.bot(delivery.botId)
  const event = await eventOf(deps, delivery)
  if (!target || !event) return { result: 'ignored', reason: 'What this was about has been deleted' }
  const unwanted = whyIgnored(target, event.type)
  if (unwanted) return { result: 'ignored', reason: unwanted }
  const told = isWorkflowLane(delivery.lane) ? await updateToTell(deps.db, delivery.botId, event) : event
  if ('result' in told) return told
  const run = mayHaveBegun(delivery) ? newId('invocation') : null
  delivery.begun = true
  const outcome = await attempt(deps, delivery, () =>
    deps.invoker.invoke({
      target: { botId: delivery.botId, alias: null },
      operation: 'event_received',
      type: event.type,
      body: { event: told },
      cause: delivery.subjectId,
      run,
      fence: delivery.owner,
      about: linksOf(event),
      timeoutMs: target.timeoutMs,
    }),
  )
  // That a hosted bot takes too long is noted when its process is ended for it.
  return 'issue' in outcome && outcome.issue === 'time_exceeded' && !target.url
    ? { ...outcome, issue: 'event_failed' }
    : outcome
}

const linksOf = ({ id, conversationId, userId, workflowId }: Event) => ({
  eventId: id,
  ...(conversationId !== undefined && { conversationId }),
  ...(userId !== undefined && { userId }),
  ...(workflowId !== undefined && { workflowId }),
})

/** What follows from an event of a workflow is written before its outcome: a crash in between means that the event is told once more, to nobody. */
async function continueWorkflow(
  deps: DeliveryDeps,
  { botId, lane, subjectId, attempts = 0 }: Enqueued,
  outcome: Outcome,
): Promise<void> {
  const isOver = outcome.result === 'retry' ? attempts >= deps.retries : outcome.result !== 'postponed'
  if (!isOver) return
  const failure = 'reason' in outcome ? storableText(outcome.reason, longestReason) : null
  const pauseMs = await goOn(deps, { botId, workflowId: lane, eventId: subjectId, failure })
  // Here, where the lane waits and nothing is lost: what follows is written.
  if (pauseMs > 0) await pause(pauseMs)
}

function whyIgnored(target: BotTarget, type: string): string | null {
  if (target.blocked) return 'The bot is blocked'
  if (!target.url && !target.version) return 'The bot has neither code nor a URL'
  if (target.subscriptions && !target.subscriptions.has(type))
    return 'The bot did not subscribe to this event'
  return null
}

const switchedOff: Outcome = { result: 'ignored', reason: 'The bot has switched this channel off' }

/** A message to the integration of its conversation. The answer of its author was given long ago: a failure goes to the bot's log. */
async function deliverMessage(deps: DeliveryDeps, delivery: Enqueued): Promise<Outcome> {
  const message =
    (delivery.content as WrittenMessage | undefined) ??
    (await findWrittenMessage(deps.db, delivery.botId, delivery.subjectId))
  if (!message) return { result: 'ignored', reason: 'The message has been deleted' }
  const alias = message.conversation.integration
  const target = await deps.targets.integration(delivery.botId, alias)
  if (!target?.enabled || target.disabledChannels.includes(message.conversation.channel)) return switchedOff
  const body = {
    type: message.type,
    payload: message.payload,
    conversation: conversationShown(message.conversation, alias),
    message: messageShown(message, alias),
    user: userShown(message.user, alias),
  }
  const outcome = await attempt(deps, delivery, () =>
    deps.invoker.invoke({
      target: { botId: delivery.botId, alias },
      operation: 'message_created',
      type: message.type,
      body,
      cause: delivery.subjectId,
      fence: delivery.owner,
      about: { conversationId: message.conversation_id, userId: message.user_id },
    }),
  )
  if (outcome.result !== 'done')
    await tellOwner(deps, message.bot_id, `A message could not be sent through ${alias}: ${outcome.reason}`, {
      conversationId: message.conversation_id,
    })
  return troubled(outcome, 'message_not_sent')
}

/** What the bot changed in what it said before; asked for by the integration, which is told as it was then. */
async function deliverChange(deps: DeliveryDeps, delivery: Enqueued): Promise<Outcome> {
  const { botId, subjectId, owner, attempts = 0 } = delivery
  const change = await findToldChange(deps.db, botId, subjectId)
  if (!change) return { result: 'ignored', reason: 'This has been told' }
  const { alias, operation, body } = change
  const target = await deps.targets.integration(botId, alias)
  const call = () =>
    deps.invoker.invoke({
      ...{ target: { botId, alias }, operation, type: operation, body },
      ...{ cause: null, fence: owner },
    })
  const outcome = target?.enabled ? await attempt(deps, delivery, call) : switchedOff
  const isOver = outcome.result !== 'retry' && outcome.result !== 'postponed'
  if (isOver) await removeToldChange(deps.db, botId, subjectId)
  if (outcome.result === 'failed' || (outcome.result === 'retry' && attempts >= deps.retries))
    await tellOwner(deps, botId, `${alias} could not be told of a change: ${outcome.reason}`)
  return troubled(outcome, 'change_not_told')
}

/** Which trouble it is to the bot's owner, if it is any. */
const troubled = (outcome: Outcome, issue: IssueCode): Outcome =>
  outcome.result === 'failed' || outcome.result === 'retry' ? { ...outcome, issue } : outcome

const deliverers = { event: deliverEvent, message: deliverMessage, change: deliverChange }

async function attempt(
  { limitedCalls }: DeliveryDeps,
  delivery: Enqueued,
  call: () => Promise<Reply>,
): Promise<Outcome> {
  const endWatch = limitedCalls.watch(delivery.subjectId)
  let limitedMs: number | null = null
  const outcome = await call()
    .then(outcomeOf, failureOf)
    .finally(() => {
      limitedMs = endWatch()
    })
  return limitedMs === null ? outcome : unlessLimited(delivery, outcome, limitedMs)
}

/** So often one delivery is postponed because of 429s; a bot that goes on flooding then loses attempts, and its lane goes on. */
const maxLimitedPostponements = 5
const maxLimitedPauseMs = 60_000

/** A failed attempt of which a call-back was answered 429 is not counted: it is made again once that call may pass. */
function unlessLimited(delivery: Enqueued, outcome: Outcome, msUntilFree: number): Outcome {
  const { limited = 0 } = delivery
  if (outcome.result !== 'retry' && outcome.result !== 'failed') return outcome
  if (limited >= maxLimitedPostponements) return outcome
  delivery.limited = limited + 1
  return {
    result: 'postponed',
    reason: `A call to the API was answered 429: ${outcome.reason}`,
    pauseMs: Math.min(msUntilFree, maxLimitedPauseMs),
  }
}

/** 2xx: done. 4xx: handled and refused, not to be repeated. Everything else may pass. */
function outcomeOf(reply: Reply): Outcome {
  if (reply.status >= 200 && reply.status < 300) return { result: 'done' }
  const { reason, stack } = saidIn(reply)
  if (reply.status >= 400 && reply.status < 500) return { result: 'failed', reason, issue: 'event_refused' }
  return { result: 'retry', reason, issue: 'event_failed', ...(stack !== null && { stack }) }
}

/** An SDK says `message`, hosted code that throws has `error` said for it, with the stack. */
function saidIn({ status, body }: Reply): { reason: string; stack: string | null } {
  const { message, error, stack } = parsed(body)
  const said = [message, error].find((one) => typeof one === 'string')
  return {
    reason: (said as string | undefined) ?? `Answered ${status}${body ? `: ${body.slice(0, 500)}` : ''}`,
    stack: typeof stack === 'string' ? stack : null,
  }
}

/** Whatever it is that is no JSON, it is not the error of an SDK; it is shown as it came. */
function parsed(body: string): { message?: unknown; error?: unknown; stack?: unknown } {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}

function failureOf(error: unknown): Outcome {
  if (!(error instanceof InvocationFailed)) throw error
  if (error.reason === 'no-code' || error.reason === 'blocked')
    return { result: 'ignored', reason: error.message }
  // Nobody was called: the process that others crashed is not there yet. An event that never had its turn must not die of it.
  if (error.retryAfterMs !== null)
    return {
      result: 'postponed',
      reason: error.message,
      pauseMs: Math.min(error.retryAfterMs, longestPostponement),
    }
  // The call itself noted an issue, with more than its caller may read.
  if (error.reason === 'not-allowed') return { result: 'retry', reason: error.message }
  return { result: 'retry', reason: error.message, issue: issues[error.reason] ?? 'event_failed' }
}

const issues: Partial<Record<FailureReason, IssueCode>> = {
  timeout: 'time_exceeded',
  'too-large': 'answer_too_large',
  unreachable: 'bot_unreachable',
}

/** Other code may be deployed meanwhile, and starts at once. */
const longestPostponement = 5_000

const tellOwner = (
  { db, log }: DeliveryDeps,
  botId: string,
  message: string,
  links: { conversationId?: string } = {},
) =>
  appendBotLogs(db, botId, [{ at: new Date(), level: 'error', message, ...links }]).catch((error) =>
    log.warn({ err: error, botId }, 'a line for a bot was lost'),
  )

/** As the bot sees it. From memory when this process wrote it, or read. */
async function eventOf({ db }: DeliveryDeps, delivery: Enqueued): Promise<Event | null> {
  const message = delivery.content as WrittenMessage | undefined
  if (!message) return findEvent(db, delivery.botId, delivery.subjectId)
  return {
    id: delivery.subjectId,
    createdAt: message.created_at.toISOString(),
    type: 'message_created',
    status: 'pending',
    failureReason: null,
    conversationId: message.conversation_id,
    userId: message.user_id,
    messageId: message.id,
    payload: {
      message: messageShown(message),
      user: userShown(message.user),
      conversation: conversationShown(message.conversation),
    },
  }
}
