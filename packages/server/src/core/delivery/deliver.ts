// One delivery: an event to its bot, or a message or a change to its integration. The queue handles
// order, retries and rows.
import { setTimeout as pause } from 'node:timers/promises'
import type { Event } from '@botstead/contract'
import {
  isLong,
  maxReasonLength,
  nextSlice,
  type Stoppable,
  storableText,
} from '@botstead/lib'
import { outages } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import {
  bursts,
  conversationStore,
  findEvent,
  toConversation,
  toMessage,
  toUser,
  type WrittenMessage,
} from '../messaging/index.ts'
import { type DeliveryOutcome, type Enqueued, mayHaveBegun } from '../queue/index.ts'
import { advanceWorkflow, isWorkflowLane, toWorkflowUpdate } from '../workflows/index.ts'
import { attempt, type DeliveryDeps, isOver } from './attempt.ts'
import type { BotTarget } from './calls/targets.ts'
import { deliverChange, deliverMessage } from './integration-deliveries.ts'

export async function deliver(
  deps: DeliveryDeps,
  delivery: Enqueued,
): Promise<DeliveryOutcome> {
  try {
    const outcome = await redacted(
      deps,
      delivery.botId,
      await deliverers[delivery.kind](deps, delivery),
    )
    if (isWorkflowLane(delivery.lane)) await continueWorkflow(deps, delivery, outcome)
    else if (isAnswered(deps, delivery, outcome))
      await noteAnswered(deps, delivery, outcome)
    return outcome
  } catch (error) {
    // Either the data for the call could not be read, so no code was called; or the following steps
    // could not be written and were rolled back.
    if (outages.isUnavailable(error))
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
  if (outcome.result === 'failed' || outcome.stack === undefined)
    return { ...outcome, reason }
  return { ...outcome, reason, stack: await logs.text(outcome.stack) }
}

const isAnswered = (deps: DeliveryDeps, delivery: Enqueued, outcome: DeliveryOutcome) =>
  delivery.kind === 'event' &&
  outcome.result !== 'ignored' &&
  isOver(deps, delivery, outcome)

/** Before the outcome is recorded: a crash in between repeats the delivery. */
async function noteAnswered(
  deps: DeliveryDeps,
  { botId, lane, subjectId }: Enqueued,
  { result }: DeliveryOutcome,
): Promise<void> {
  try {
    const answered = {
      botId,
      conversationId: lane,
      cause: subjectId,
      hasFailed: result !== 'done',
    }
    for (const note of deps.hooks.messageAnswered) await note(deps, answered)
  } catch (error) {
    deps.log.warn({ err: error, botId }, 'a step after the answer to a message failed')
  }
}

const stopped: DeliveryOutcome = { result: 'ignored', reason: 'The answer was stopped' }
const withheld: DeliveryOutcome = {
  result: 'ignored',
  reason: 'A person holds the conversation',
}

/** A stopped answer counts as handled, whatever its code returns. */
async function deliverEvent(
  deps: DeliveryDeps,
  delivery: Enqueued,
): Promise<DeliveryOutcome> {
  if (delivery.isWithheld) return withheld
  const { botId, lane, subjectId: eventId, id: deliveryId } = delivery
  const work = deps.stops.follow({ botId, eventId, conversationId: lane, deliveryId })
  try {
    if (work.isStopped || delivery.isStopped) return stopped
    const outcome = await invokeForEvent(deps, delivery, work)
    return work.isStopped && outcome !== bursts.joined ? stopped : outcome
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
  const inConversation =
    event.type !== 'message_created' && event.conversationId === delivery.lane
  if (
    inConversation &&
    (await conversationStore.isBotPaused(deps.db, delivery.botId, delivery.lane))
  )
    return withheld
  const call = (one: Event) => invokeBot(deps, delivery, { target, event: one, stop })
  if (isWorkflowLane(delivery.lane)) {
    const update = await toWorkflowUpdate(deps.db, delivery.botId, event)
    return 'result' in update ? update : call(update)
  }
  return target.burstRules && event.type === 'message_created'
    ? bursts.deliver(deps, delivery, { rules: target.burstRules, event, call })
    : call(event)
}

/** A later attempt finds what the first one has stored, and does not wait again for what failed. */
async function completeEvent(
  { hooks }: DeliveryDeps,
  delivery: Enqueued,
  event: Event,
): Promise<Event> {
  if (event.type !== 'message_created' || delivery.attempts || delivery.isComplete)
    return event
  delivery.isComplete = true
  const { message, conversation } = event.payload as Pick<
    WrittenMessage,
    'conversation'
  > & {
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
  const failure =
    'reason' in outcome ? storableText(outcome.reason, maxReasonLength) : null
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

const deliverers = { event: deliverEvent, message: deliverMessage, change: deliverChange }

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
