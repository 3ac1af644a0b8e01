// Deliveries to integrations: messages, and changes to messages and conversations.
import { appendBotLogs, type IssueCode } from '../bots/index.ts'
import {
  findWrittenMessage,
  notifiedChanges,
  toConversation,
  toMessage,
  toUser,
  type WrittenMessage,
} from '../messaging/index.ts'
import type { DeliveryOutcome, Enqueued } from '../queue/index.ts'
import { attempt, type DeliveryDeps, isOver } from './attempt.ts'

const channelDisabled: DeliveryOutcome = {
  result: 'ignored',
  reason: 'The channel is disabled in the bot',
}

/**
 * Delivers a message to the integration of its conversation. The author's request has long been
 * answered, so failures go to the bot's log.
 */
export async function deliverMessage(
  deps: DeliveryDeps,
  delivery: Enqueued,
): Promise<DeliveryOutcome> {
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
export async function deliverChange(
  deps: DeliveryDeps,
  delivery: Enqueued,
): Promise<DeliveryOutcome> {
  const { botId, subjectId, owner, attempts = 0 } = delivery
  const change = await notifiedChanges.find(deps.db, botId, subjectId)
  if (!change)
    return { result: 'ignored', reason: 'The change has already been delivered' }
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
  if (isOver) await notifiedChanges.remove(deps.db, botId, subjectId)
  if (
    outcome.result === 'failed' ||
    (outcome.result === 'retry' && attempts >= deps.retries)
  )
    await logToBot(
      deps,
      botId,
      `A change could not be sent to ${alias}: ${outcome.reason}`,
    )
  return withIssue(outcome, 'change_not_told')
}

/** Adds the code of the issue for the bot's owner to a failure. */
const withIssue = (outcome: DeliveryOutcome, issue: IssueCode): DeliveryOutcome =>
  outcome.result === 'failed' || outcome.result === 'retry'
    ? { ...outcome, issue }
    : outcome

const logToBot = (
  deps: DeliveryDeps,
  botId: string,
  message: string,
  links: { conversationId?: string } = {},
) =>
  appendBotLogs(deps, botId, [
    { at: new Date(), level: 'error', message, ...links },
  ]).catch((error) =>
    deps.log.warn({ err: error, botId }, 'cannot write to the log of a bot'),
  )
