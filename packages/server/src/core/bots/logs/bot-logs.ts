// Owns the table bot_log: standard output of bots, and the server's messages to their owners. Lines
// are redacted by the bot's rules.

import { storableText } from '@botstead/lib'
import { sql } from 'kysely'
import type { GetRedactors } from '../../compute/index.ts'
import { type Db, removeExcess } from '../../db/index.ts'

export interface BotLogLine {
  at: Date
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  conversationId?: string
  userId?: string
  workflowId?: string
  eventId?: string
}

export interface LogDeps {
  db: Db
  getRedactors: GetRedactors
}

const maxLength = 10_000
/** Per bot. */
const maxLines = 100_000

/**
 * Appends lines in the order given, in one statement. Drops them if the bot was deleted meanwhile.
 */
export async function appendBotLogs(
  { db, getRedactors }: LogDeps,
  botId: string,
  lines: BotLogLine[],
): Promise<void> {
  if (!lines.length) return
  const { logs } = await getRedactors(botId)
  const messages = lines.map(({ message }) => message)
  const redacted = logs ? await logs.value(messages) : messages
  const stored = lines.map((line, i) => storable({ ...line, message: redacted[i]! }))
  await sql`
    insert into bot_log (bot_id, at, level, message, conversation_id, user_id, workflow_id, event_id)
    select present.id, line.at, line.level, line.message, line."conversationId", line."userId",
      line."workflowId", line."eventId"
    from (select id from bot where id = ${botId} for key share) as present,
      rows from (jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as
        (at timestamptz, level text, message text, "conversationId" text, "userId" text, "workflowId" text,
          "eventId" text)) with ordinality
      as line (at, level, message, "conversationId", "userId", "workflowId", "eventId", place)
    order by line.place
  `.execute(db)
}

const storable = (line: BotLogLine) =>
  Object.fromEntries(
    Object.entries(line).map(([key, value]) => [
      key,
      typeof value === 'string' ? storableText(value, maxLength) : value,
    ]),
  )

/** Scheduled cleanup: removes old lines, and lines beyond the limit per bot. */
export const removeOldBotLogs = (db: Db, days: number) =>
  removeExcess(db, {
    table: 'bot_log',
    owner: 'bot_id',
    max: maxLines,
    older: { at: 'at', days },
  })
