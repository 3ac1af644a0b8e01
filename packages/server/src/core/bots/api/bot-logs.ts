import type { BotLog } from '@botstead/contract'
import type { BotLogRow } from '../logs/bot-log-listing.ts'

export const toBotLog = (row: BotLogRow): BotLog => ({
  timestamp: row.at.toISOString(),
  level: row.level,
  message: row.message,
  ...(row.workflow_id !== null && { workflowId: row.workflow_id }),
  ...(row.user_id !== null && { userId: row.user_id }),
  ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
})
