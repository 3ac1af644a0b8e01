// Hands conversations over by the rules of their bot: after a message with a keyword or outside the
// opening hours, in the transaction that stores the message, and after failed answers.
import { sql } from 'kysely'
import { type Db, hasHash } from '../../core/db/index.ts'
import {
  type Answered,
  type ConversationDeps,
  findEventOfMessage,
  type InTransaction,
  inConversationTransaction,
  type NewMessage,
  type WrittenMessage,
} from '../../core/messaging/index.ts'
import { findReason, isOpenAt, type ReadyRules } from './handoff-rules.ts'
import { announceHandoffs, findOpen, openHandoff } from './handoffs.ts'
import { isAtHelpDesk } from './help-desk.ts'

/** Returns the rules of a bot, from a cache; null without rules. */
export type FindReadyRules = (botId: string) => Promise<ReadyRules | null>

/** Returns how to store a message of a user that the rules hand over; null for any other. */
export async function takeMessage(
  findReadyRules: FindReadyRules,
  message: NewMessage,
): Promise<((deps: ConversationDeps) => Promise<WrittenMessage>) | null> {
  const rules = await findReadyRules(message.botId)
  const reason =
    rules && message.origin === undefined && findReason(rules, message.payload)
  return rules && reason ? (deps) => postAndHandOver(deps, rules, message, reason) : null
}

const postAndHandOver = (
  deps: ConversationDeps,
  rules: ReadyRules,
  message: NewMessage,
  reason: string,
) =>
  inConversationTransaction(deps, async (inside) => {
    const text = await applyRules(inside, rules, { ...message, reason, cause: null })
    const written = await inside.messages.post(message)
    await send(inside, message, text)
    return written
  })

/** Hands over if the answers to this message and to the last messages before it have failed. */
export async function handOverAfterFailures(
  deps: ConversationDeps,
  rules: ReadyRules,
  answered: Answered,
): Promise<void> {
  const { afterFailures: count } = rules
  if (!count || !(await haveFailed(deps.database.db, answered, count))) return
  const reason = `The bot failed to answer ${count === 1 ? 'a message' : `${count} messages`}`
  await inConversationTransaction(deps, async (inside) => {
    const text = await applyRules(inside, rules, { ...answered, reason })
    await send(inside, answered, text)
  })
}

/** A bad rating may come after further messages, whose own answers decide then. */
export async function handOverAfterRating(
  deps: ConversationDeps,
  findReadyRules: FindReadyRules,
  message: { botId: string; conversationId: string; id: string },
): Promise<void> {
  const { botId, conversationId, id } = message
  const rules = await findReadyRules(botId)
  if (!rules?.afterFailures) return
  const cause = await findEventOfMessage(deps.database.db, { bot_id: botId, id })
  if (cause) await handOverAfterFailures(deps, rules, { botId, conversationId, cause })
}

/** The bot says that it has no answer, or a user rates it as bad. */
const isBadAnswer = sql<boolean>`exists (
  select from message m where m.bot_id = event.bot_id and m.cause = event.id
    and hashtextextended(m.cause, 0) = hashtextextended(event.id, 0) and m.direction = 'outgoing'
    and (m.payload #> '{metadata,unanswered}' = 'true' or exists (
      select from message_feedback f where f.bot_id = m.bot_id and f.message_id = m.id
        and f.rating in ('negative', '1', '2'))))`

async function haveFailed(
  db: Db,
  { botId, conversationId, cause, hasFailed }: Answered,
  count: number,
): Promise<boolean> {
  const [current, ...earlier] = await db
    .selectFrom('event')
    .select(['id', sql<boolean>`status = 'failed' or ${isBadAnswer}`.as('is_bad')])
    .where('bot_id', '=', botId)
    .where('conversation_id', '=', conversationId)
    .where(hasHash(sql.ref('conversation_id'), sql.val(conversationId)))
    .where('type', '=', 'message_created')
    .where('id', '<=', cause)
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  return (
    current?.id === cause &&
    (hasFailed || current.is_bad) &&
    earlier.length === count - 1 &&
    earlier.every(({ is_bad }) => is_bad)
  )
}

/**
 * Opens the handoff, unless one is open, the hours forbid it, or people at a help desk see the
 * conversation instead of a user. Returns the text for the user.
 */
async function applyRules(
  inside: InTransaction,
  { message, hours, botReceives = 'nothing' }: ReadyRules,
  requested: {
    botId: string
    conversationId: string
    reason: string
    cause: string | null
  },
): Promise<string | undefined> {
  const { botId, conversationId, reason, cause } = requested
  if (await isAtHelpDesk(inside.database.db, botId, conversationId)) return undefined
  const closed = hours && !isOpenAt(hours, new Date()) ? hours : null
  if (closed && !closed.handsOver)
    return (await findOpen(inside.database.db, botId, conversationId))
      ? undefined
      : closed.message
  const { isNew } = await openHandoff(inside, {
    botId,
    conversationId,
    reason: reason.slice(0, 500),
    cause,
    source: 'rule',
    botReceives,
    requestedBy: null,
    assignedTo: null,
  })
  if (!isNew) return undefined
  announceHandoffs(inside, botId)
  return (closed ?? { message }).message
}

async function send(
  { messages }: InTransaction,
  { botId, conversationId }: { botId: string; conversationId: string },
  text: string | undefined,
): Promise<void> {
  if (text === undefined) return
  // The chat page offers no feedback below it: it is not an answer of the bot.
  const payload = { text, metadata: { feedback: false } }
  await messages.post({
    botId,
    conversationId,
    userId: botId,
    direction: 'outgoing',
    type: 'text',
    payload,
  })
}
