// Conversations at a help desk, which an integration with the interface `hitl` opens there.

import { listImplementingByName } from '../../core/catalog/index.ts'
import type { Db } from '../../core/db/index.ts'
import { conversationStore } from '../../core/messaging/index.ts'

/** Returns whether people at the help desk see the conversation, not a user. */
export async function isAtHelpDesk(
  db: Db,
  botId: string,
  conversationId: string,
): Promise<boolean> {
  const aliases = await listImplementingByName(db, botId, 'hitl')
  if (aliases.length === 0) return false
  return aliases.includes(
    (await conversationStore.findAlias(db, botId, conversationId)) ?? '',
  )
}
