// Sessions of the Botpress plugin `hitl`. The plugin relays messages between a conversation and its
// counterpart at a help desk. It notes in a state of each of the two whether the session is active.
// The handoff of the conversation follows this state.
import { sql } from 'kysely'
import { listImplementingByName } from '../../core/catalog/index.ts'
import type { Db } from '../../core/db/index.ts'
import { mergeIntoStates, type StateLocation } from '../../core/workflows/index.ts'
import { noteDeskAnswer } from './handoff-times.ts'
import { closeHandoff, findOpen, type HandoffDeps, requestHandoff } from './handoffs.ts'
import { isAtHelpDesk } from './help-desk.ts'

/** Plugins store their states as `alias#name`. */
export const isHitlState = ({ alias, type, name }: StateLocation) =>
  alias === null && type === 'conversation' && /(?:^|#)hitl$/.test(name)

/**
 * Opens or closes the handoff, as solved if an event of the help desk such as a closed ticket is
 * the `cause`. Requires the transaction that writes the state. Returns whether it may have changed a
 * handoff.
 */
export async function followHitlSession(
  deps: HandoffDeps,
  { botId, subjectId: conversationId }: StateLocation,
  { hitlActive: isActive = false }: Record<string, unknown>,
  cause: string | null,
): Promise<boolean> {
  const { db } = deps.database
  if (typeof isActive !== 'boolean') return false
  if (!isActive) {
    const open = await findOpen(db, botId, conversationId)
    if (open?.source !== 'hitl') return false
    await noteDeskAnswer(db, open)
    const outcome = (await isOfHelpDesk(db, botId, cause)) ? 'solved' : 'returned'
    await closeHandoff(deps, botId, open.id, { outcome, by: undefined })
    return true
  }
  if (await isAtHelpDesk(db, botId, conversationId)) return false
  await requestHandoff(deps, {
    botId,
    conversationId,
    source: 'hitl',
    botReceives: 'everything',
    requestedBy: null,
    assignedTo: null,
    cause: null,
  })
  return true
}

/** Returns whether the event is one of a help desk, not a message. */
async function isOfHelpDesk(
  db: Db,
  botId: string,
  eventId: string | null,
): Promise<boolean> {
  if (eventId === null) return false
  const aliases = await listImplementingByName(db, botId, 'hitl')
  const event = await db
    .selectFrom('event')
    .select('type')
    .where('bot_id', '=', botId)
    .where('id', '=', eventId)
    .executeTakeFirst()
  return aliases.some((alias) => event?.type.startsWith(`${alias}:`))
}

/** The plugin tags a conversation with the person at the help desk who answers it. */
const agentTag = /(?:^|#)humanAgentId$/

/**
 * Notes that a person at the help desk answers, if the changed tags of a conversation name one.
 * Returns whether a handoff has changed.
 */
export async function noteDeskAgent(
  db: Db,
  botId: string,
  conversationId: string,
  tags: Record<string, string | null> = {},
): Promise<boolean> {
  if (!Object.entries(tags).some(([key, value]) => value && agentTag.test(key)))
    return false
  const changed = await db
    .updateTable('handoff')
    .set({ assigned_at: sql<Date>`now()` })
    .where('bot_id', '=', botId)
    .where('conversation_id', '=', conversationId)
    .where('source', '=', 'hitl')
    .where('closed_at', 'is', null)
    .where('assigned_at', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/**
 * Ends the session of both conversations, so that the plugin stops to relay messages. The plugin tags
 * the conversation with the one at the help desk.
 */
export const endHitlSession = (db: Db, botId: string, conversationId: string) =>
  mergeIntoStates(db, botId, {
    conversations: sql`select ${conversationId} as id
      union
      select tag.value from conversation, jsonb_each_text(conversation.tags) as tag
      where bot_id = ${botId} and id = ${conversationId} and tag.key ~ '(^|#)downstream$'`,
    name: '(^|#)hitl$',
    change: { hitlActive: false },
  })
