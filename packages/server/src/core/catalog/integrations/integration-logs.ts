// Owns the table integration_log: standard output of hosted integrations, by version, for their
// authors. Lines are redacted by the rules of their bot; those without a bot, by the installation's.

import { storableText } from '@botstead/lib'
import { type RawBuilder, sql } from 'kysely'
import type { LogDeps } from '../../bots/index.ts'
import { type Db, removeExcess } from '../../db/index.ts'

interface IntegrationLogLine {
  at: Date
  level: string
  message: string
  /** Bot that the call was for. */
  botId?: string
  conversationId?: string
  userId?: string
}

const maxLength = 10_000
/** No bot has this id, so only the rules of the installation apply. */
const noBot = ''
/** Per version. */
const maxLines = 100_000

/**
 * Appends lines in the order given, in one statement. Drops them if the version was deleted
 * meanwhile.
 */
export async function appendIntegrationLogs(
  { db, getRedactors }: LogDeps,
  integrationId: string,
  lines: IntegrationLogLine[],
): Promise<void> {
  if (!lines.length) return
  const stored = await Promise.all(
    lines.map(async (line) => {
      const { logs } = await getRedactors(line.botId ?? noBot)
      return storable(logs ? { ...line, message: await logs.text(line.message) } : line)
    }),
  )
  await sql`
    insert into integration_log (integration_id, at, level, message, bot_id, conversation_id, user_id)
    select present.id, line.at, line.level, line.message, line."botId", line."conversationId", line."userId"
    from (select id from integration where id = ${integrationId} for key share) as present,
      rows from (jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as
        (at timestamptz, level text, message text, "botId" text, "conversationId" text, "userId" text))
          with ordinality
      as line (at, level, message, "botId", "conversationId", "userId", place)
    order by line.place
  `.execute(db)
}

const storable = (line: IntegrationLogLine) =>
  Object.fromEntries(
    Object.entries(line).map(([key, value]) => [
      key,
      typeof value === 'string' ? storableText(value, maxLength) : value,
    ]),
  )

/**
 * Returns the bots of the workspace that have the version installed, since a process may report any
 * bot id.
 */
export async function findServedBots(
  db: Db,
  integrationId: string,
  workspaceId: string,
  botIds: string[],
): Promise<Set<string>> {
  if (!botIds.length) return new Set()
  const { rows } = await sql<{ id: string }>`
    select distinct b.id from bot b join installation t on t.bot_id = b.id
      and ${integrationId} in (t.integration_id, t.former_id)
    where b.id = any(${botIds}) and b.workspace_id = ${workspaceId}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export interface IntegrationLogRow {
  id: string
  at: Date
  level: string
  message: string
  conversation_id: string | null
  user_id: string | null
}

interface IntegrationLogListing {
  from: Date
  until?: Date | undefined
  level?: string | undefined
  userId?: string | undefined
  conversationId?: string | undefined
  /** Case-insensitive. */
  contains?: string | undefined
  /** Position of the previous page's last row. */
  position: { at: Date; id: string } | null
  limit: number
}

/**
 * Lists lines, newest first. The number of lines per version is limited, which limits the cost of a
 * search.
 */
export async function listIntegrationLogs(
  db: Db,
  integrationId: string,
  listing: IntegrationLogListing,
): Promise<IntegrationLogRow[]> {
  const { from, until, level, userId, conversationId, contains, position, limit } =
    listing
  const conditions: RawBuilder<unknown>[] = [
    sql`integration_id = ${integrationId} and at >= ${from}`,
    ...(until ? [sql`at <= ${until}`] : []),
    ...(level === undefined ? [] : [sql`level = ${level.toLowerCase()}`]),
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
    ...(conversationId === undefined ? [] : [sql`conversation_id = ${conversationId}`]),
    ...(contains ? [sql`strpos(lower(message), lower(${contains})) > 0`] : []),
    ...(position ? [sql`(at, id) < (${position.at}, ${position.id}::bigint)`] : []),
  ]
  const { rows } = await sql<IntegrationLogRow>`
    select id, at, level, message, conversation_id, user_id from integration_log
    where ${sql.join(conditions, sql` and `)} order by at desc, id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Scheduled cleanup: removes old lines, and lines beyond the limit per version. */
export const removeOldIntegrationLogs = (db: Db, days: number) =>
  removeExcess(db, {
    table: 'integration_log',
    owner: 'integration_id',
    max: maxLines,
    older: { at: 'at', days },
  })
