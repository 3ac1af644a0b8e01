// One delivery: its target, the call and the meaning of the response. The queue handles order,
// retries and rows.
import { setTimeout as pause } from 'node:timers/promises'
import type { Event } from '@botstead/contract'
import { isLong, maxReasonLength, nextSlice, type Stoppable, storableText } from '@botstead/lib'
import type { Logger } from 'pino'
import { appendBotLogs, type IssueCode, type LogDeps } from '../bots/index.ts'
import { type Database, isDatabaseUnavailable } from '../db/index.ts'
import type { LimitedCalls } from '../http/index.ts'
import { newId } from '../lib/index.ts'
import {
  deliverBurst,
  findEvent,
  findNotifiedChange,
  findWrittenMessage,
  isBotPaused,
  joined,
  type MessagingHooks,
  removeNotifiedChange,
  toConversation,
  toMessage,
  toUser,
  type WrittenMessage,
} from '../messaging/index.ts'
import { type DeliveryOutcome, type Enqueued, mayHaveBegun, type Queue } from '../queue/index.ts'
import type { ChangeFeed, Signals, Stops } from '../realtime/index.ts'
import { advanceWorkflow, isWorkflowLane, toWorkflowUpdate } from '../workflows/index.ts'
import { postponeIfLimited, toFailure, toOutcome } from './attempt-outcomes.ts'
import type { Invoker, Reply } from './calls/invoker.ts'
import type { BotTarget, Targets } from './calls/targets.ts'
import type { DeliveryHooks } from './hooks.ts'

interface DeliveryDeps extends LogDeps {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  invoker: Invoker
  targets: Targets
  limitedCalls: Pick<LimitedCalls, 'watch'>
  stops: Pick<Stops, 'follow' | 'unfollow' | 'stop'>
  signals: Signals
  changeFeed: Pick<ChangeFeed, 'publish'>
  log: Logger
  hooks: Pick<MessagingHooks, 'messageAnswered' | 'messageDelivered'> &
    Pick<DeliveryHooks, 'completeMessage'>
  /** Maximum number of retries of a failed delivery. */
  retries: number
}

export async function deliver(deps: DeliveryDeps, delivery: Enqueued): Promise<DeliveryOutcome> {
  try {
    const outcome = await redacted(
      deps,
      delivery.botId,
      await deliverers[delivery.kind](deps, delivery),
    )
    if (isWorkflowLane(delivery.lane)) await continueWorkflow(deps, delivery, outcome)
    else if (isAnswered(deps, delivery, outcome)) await noteAnswered(deps, delivery, outcome)
    return outcome
  } catch (error) {
    // Either the data for the call could not be read, so no code was called; or the following steps
    // could not be written and were rolled back.
    if (isDatabaseUnavailable(error))
      return { result: 'postponed', reason: 'The database is not available' }
    throw error
  }
}

/** The reason goes to the event, its attempts, dead letters and issues. */
async function redacted(
  { getRedactors }: DeliveryDeps,
  botId: string,
  outcome: DeliveryOutcome,
): Promise<DeliveryOutcome> {
  if (outcome.result !== 'failed' && outcome.result !== 'retry') return outcome
  const { logs } = await getRedactors(botId)
  if (!logs) return outcome
  const reason = await logs.text(outcome.reason)
  if (outcome.result === 'failed' || outcome.stack === undefined) return { ...outcome, reason }
  return { ...outcome, reason, stack: await logs.text(outcome.stack) }
}

const isOver = (deps: DeliveryDeps, { attempts = 0 }: Enqueued, { result }: DeliveryOutcome) =>
  result === 'retry' ? attempts >= deps.retries : result !== 'postponed'

const isAnswered = (deps: DeliveryDeps, delivery: Enqueued, outcome: DeliveryOutcome) =>
  delivery.kind === 'event' && outcome.result !== 'ignored' && isOver(deps, delivery, outcome)

/** Before the outcome is recorded: a crash in between repeats the delivery. */
async function noteAnswered(
  deps: DeliveryDeps,
  { botId, lane, subjectId }: Enqueued,
  { result }: DeliveryOutcome,
): Promise<void> {
  try {
    const answered = { botId, conversationId: lane, cause: subjectId, hasFailed: result !== 'done' }
    for (const note of deps.hooks.messageAnswered) await note(deps, answered)
  } catch (error) {
    deps.log.warn({ err: error, botId }, 'a step after the answer to a message failed')
  }
}

const stopped: DeliveryOutcome = { result: 'ignored', reason: 'The answer was stopped' }
const withheld: DeliveryOutcome = { result: 'ignored', reason: 'A person holds the conversation' }

/** A stopped answer counts as handled, whatever its code returns. */
async function deliverEvent(deps: DeliveryDeps, delivery: Enqueued): Promise<DeliveryOutcome> {
  if (delivery.isWithheld) return withheld
  const { botId, lane, subjectId: eventId, id: deliveryId } = delivery
  const work = deps.stops.follow({ botId, eventId, conversationId: lane, deliveryId })
  try {
    if (work.isStopped || delivery.isStopped) return stopped
    const outcome = await invokeForEvent(deps, delivery, work)
    return work.isStopped && outcome !== joined ? stopped : outcome
  } finally {
    deps.stops.unfollow(work)
  }
}

async function invokeForEvent(
  deps: DeliveryDeps,
  delivery: Enqueued,
  stop: Stoppable,
): Promise<DeliveryOutcome> {
  const target = await deps.targets.bot(delivery.botId)
  const stored = await getEvent(deps, delivery)
  if (!target || !stored)
    return { result: 'ignored', reason: 'The bot or the event has been deleted' }
  const unwanted = whyIgnored(target, stored.type)
  if (unwanted) return { result: 'ignored', reason: unwanted }
  const event = await completeEvent(deps, delivery, stored)
  if (stop.isStopped) return stopped
  // A message has been withheld, or not, when it was written.
  const inConversation = event.type !== 'message_created' && event.conversationId === delivery.lane
  if (inConversation && (await isBotPaused(deps.db, delivery.botId, delivery.lane))) return withheld
  const call = (one: Event) => invokeBot(deps, delivery, { target, event: one, stop })
  if (isWorkflowLane(delivery.lane)) {
    const update = await toWorkflowUpdate(deps.db, delivery.botId, event)
    return 'result' in update ? update : call(update)
  }
  return target.burstRules && event.type === 'message_created'
    ? deliverBurst(deps, delivery, { rules: target.burstRules, event, call })
    : call(event)
}

/** A later attempt finds what the first one has stored, and does not wait again for what failed. */
async function completeEvent(
  { hooks }: DeliveryDeps,
  delivery: Enqueued,
  event: Event,
): Promise<Event> {
  if (event.type !== 'message_created' || delivery.attempts || delivery.isComplete) return event
  delivery.isComplete = true
  const { message, conversation } = event.payload as Pick<WrittenMessage, 'conversation'> & {
    message: Pick<WrittenMessage, 'id' | 'type' | 'payload'>
  }
  let { payload } = message
  for (const complete of hooks.completeMessage) {
    const completing = complete({
      botId: delivery.botId,
      eventId: event.id,
      conversationId: event.conversationId!,
      userId: event.userId!,
      messageId: message.id,
      integration: conversation.integration,
      type: message.type,
      payload,
    })
    if (completing) payload = (await completing) ?? payload
  }
  if (payload === message.payload) return event
  if (delivery.content) Object.assign(delivery.content, { payload })
  return { ...event, payload: { ...event.payload, message: { ...message, payload } } }
}

interface BotCall {
  target: BotTarget
  event: Event
  stop: Stoppable
}

async function invokeBot(
  deps: DeliveryDeps,
  delivery: Enqueued,
  { target, event, stop }: BotCall,
): Promise<DeliveryOutcome> {
  const run = mayHaveBegun(delivery) ? newId('invocation') : null
  delivery.begun = true
  if (isLong(delivery.bytes ?? 0)) await nextSlice(delivery.botId)
  return attempt(deps, delivery, () =>
    deps.invoker.invoke({
      target: { botId: delivery.botId, alias: null },
      operation: 'event_received',
      type: event.type,
      body: { event },
      cause: delivery.subjectId,
      run,
      fence: delivery.owner,
      about: toLinks(event),
      timeoutMs: target.timeoutMs,
      stop,
    }),
  )
}

const toLinks = ({ id, conversationId, userId, workflowId }: Event) => ({
  eventId: id,
  ...(conversationId !== undefined && { conversationId }),
  ...(userId !== undefined && { userId }),
  ...(workflowId !== undefined && { workflowId }),
})

/**
 * Writes the next step of a workflow before the outcome of its event. A crash in between repeats
 * the event, which `toWorkflowUpdate` then skips.
 */
async function continueWorkflow(
  deps: DeliveryDeps,
  delivery: Enqueued,
  outcome: DeliveryOutcome,
): Promise<void> {
  if (!isOver(deps, delivery, outcome)) return
  const { botId, lane, subjectId } = delivery
  const failure = 'reason' in outcome ? storableText(outcome.reason, maxReasonLength) : null
  const pauseMs = await advanceWorkflow(deps, {
    botId,
    workflowId: lane,
    eventId: subjectId,
    failure,
  })
  // Pause here: the lane waits, and the next step is already written.
  if (pauseMs > 0) await pause(pauseMs)
}

function whyIgnored(target: BotTarget, type: string): string | null {
  if (target.blocked) return 'The bot is blocked'
  if (!target.url && !target.version) return 'The bot has neither code nor a URL'
  if (target.subscriptions && !target.subscriptions.has(type))
    return 'The bot did not subscribe to this event'
  return null
}

const channelDisabled: DeliveryOutcome = {
  result: 'ignored',
  reason: 'The channel is disabled in the bot',
}

/**
 * Delivers a message to the integration of its conversation. The author's request has long been
 * answered, so failures go to the bot's log.
 */
async function deliverMessage(deps: DeliveryDeps, delivery: Enqueued): Promise<DeliveryOutcome> {
  const message =
    (delivery.content as WrittenMessage | undefined) ??
    (await findWrittenMessage(deps.db, delivery.botId, delivery.subjectId))
  if (!message) return { result: 'ignored', reason: 'The message has been deleted' }
  const alias = message.conversation.integration
  const target = await deps.targets.integration(delivery.botId, alias)
  const outcome =
    !target?.enabled || target.disabledChannels.includes(message.conversation.channel)
      ? channelDisabled
      : await sendMessage(deps, delivery, message)
  if (isOver(deps, delivery, outcome)) await noteDelivered(deps, message, outcome)
  return outcome
}

async function noteDelivered(
  deps: DeliveryDeps,
  { bot_id: botId, id: messageId, tags }: WrittenMessage,
  outcome: DeliveryOutcome,
): Promise<void> {
  const reason = 'reason' in outcome ? outcome.reason : null
  for (const note of deps.hooks.messageDelivered)
    await note(deps.db, { botId, messageId, tags, reason })
}

async function sendMessage(
  deps: DeliveryDeps,
  delivery: Enqueued,
  message: WrittenMessage,
): Promise<DeliveryOutcome> {
  const alias = message.conversation.integration
  const body = {
    type: message.type,
    payload: message.payload,
    conversation: toConversation(message.conversation, alias),
    message: toMessage(message, alias),
    user: toUser(message.user, alias),
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
    await logToBot(
      deps,
      message.bot_id,
      `A message could not be sent through ${alias}: ${outcome.reason}`,
      {
        conversationId: message.conversation_id,
      },
    )
  return withIssue(outcome, 'message_not_sent')
}

/**
 * Delivers a change to a message or a conversation to its integration, if that subscribes to it,
 * with the data as of the change.
 */
async function deliverChange(deps: DeliveryDeps, delivery: Enqueued): Promise<DeliveryOutcome> {
  const { botId, subjectId, owner, attempts = 0 } = delivery
  const change = await findNotifiedChange(deps.db, botId, subjectId)
  if (!change) return { result: 'ignored', reason: 'The change has already been delivered' }
  const { alias, operation, body } = change
  const target = await deps.targets.integration(botId, alias)
  const call = () =>
    deps.invoker.invoke({
      target: { botId, alias },
      operation,
      type: operation,
      body,
      cause: null,
      fence: owner,
    })
  const outcome = target?.enabled ? await attempt(deps, delivery, call) : channelDisabled
  // A failed one becomes a dead letter, which still needs the change.
  const isOver = outcome.result === 'done' || outcome.result === 'ignored'
  if (isOver) await removeNotifiedChange(deps.db, botId, subjectId)
  if (outcome.result === 'failed' || (outcome.result === 'retry' && attempts >= deps.retries))
    await logToBot(deps, botId, `A change could not be sent to ${alias}: ${outcome.reason}`)
  return withIssue(outcome, 'change_not_told')
}

/** Adds the code of the issue for the bot's owner to a failure. */
const withIssue = (outcome: DeliveryOutcome, issue: IssueCode): DeliveryOutcome =>
  outcome.result === 'failed' || outcome.result === 'retry' ? { ...outcome, issue } : outcome

const deliverers = { event: deliverEvent, message: deliverMessage, change: deliverChange }

async function attempt(
  { limitedCalls }: DeliveryDeps,
  delivery: Enqueued,
  call: () => Promise<Reply>,
): Promise<DeliveryOutcome> {
  const endWatch = limitedCalls.watch(delivery.subjectId)
  let limitedMs: number | null = null
  const outcome = await call()
    .then(toOutcome, toFailure)
    .finally(() => {
      limitedMs = endWatch()
    })
  return limitedMs === null ? outcome : postponeIfLimited(delivery, outcome, limitedMs)
}

const logToBot = (
  deps: DeliveryDeps,
  botId: string,
  message: string,
  links: { conversationId?: string } = {},
) =>
  appendBotLogs(deps, botId, [{ at: new Date(), level: 'error', message, ...links }]).catch(
    (error) => deps.log.warn({ err: error, botId }, 'cannot write to the log of a bot'),
  )

/** Returns the event as the bot sees it, from memory if this process wrote or read it. */
async function getEvent({ db }: DeliveryDeps, delivery: Enqueued): Promise<Event | null> {
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
      message: toMessage(message),
      user: toUser(message.user),
      conversation: toConversation(message.conversation),
    },
  }
}
