// Owns the table integration_log: what hosted integrations say on standard output, by version, for those who made them.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { removeExcess } from '../db/retention.ts'
import { storableText } from '../lib/storable-text.ts'

export interface IntegrationLogLine {
  at: Date
  level: string
  message: string
  /** In which it was working. */
  botId?: string
  conversationId?: string
  userId?: string
}

const longest = 10_000
/** Of one version. */
const most = 100_000

/** All in one statement, in the order given. Lines of a version that was deleted meanwhile go with it. */
export async function appendIntegrationLogs(
  db: Db,
  integrationId: string,
  lines: IntegrationLogLine[],
): Promise<void> {
  if (!lines.length) return
  await sql`
    insert into integration_log (integration_id, at, level, message, bot_id, conversation_id, user_id)
    select present.id, line.at, line.level, line.message, line."botId", line."conversationId", line."userId"
    from (select id from integration where id = ${integrationId} for key share) as present,
      rows from (jsonb_to_recordset(${JSON.stringify(lines.map(storable))}::jsonb) as
        (at timestamptz, level text, message text, "botId" text, "conversationId" text, "userId" text)) with ordinality
      as line (at, level, message, "botId", "conversationId", "userId", place)
    order by line.place
  `.execute(db)
}

const storable = (line: IntegrationLogLine) =>
  Object.fromEntries(
    Object.entries(line).map(([key, value]) => [
      key,
      typeof value === 'string' ? storableText(value, longest) : value,
    ]),
  )

/** Of these, the bots of the workspace that have the version installed: what a process says of itself may be made up. */
export async function findServedBots(
  db: Db,
  integrationId: string,
  workspaceId: string,
  botIds: string[],
): Promise<Set<string>> {
  if (!botIds.length) return new Set()
  const { rows } = await sql<{ id: string }>`
    select distinct b.id from bot b join installation t on t.bot_id = b.id and ${integrationId} in (t.integration_id, t.former_id)
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

export interface IntegrationLogListing {
  from: Date
  until?: Date | undefined
  level?: string | undefined
  userId?: string | undefined
  conversationId?: string | undefined
  /** In whatever case. */
  contains?: string | undefined
  /** The last of the page before. */
  position: { at: Date; id: string } | null
  limit: number
}

/** Newest first. What is kept of a version is bounded, so that looking through all of it is too. */
export async function listIntegrationLogs(
  db: Db,
  integrationId: string,
  listing: IntegrationLogListing,
): Promise<IntegrationLogRow[]> {
  const { from, until, level, userId, conversationId, contains, position, limit } = listing
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
    where ${sql.join(conditions, sql` and `)} order by at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** For the clock. Past a number, also what is younger goes. */
export const removeOldIntegrationLogs = (db: Db, days: number) =>
  removeExcess(db, { table: 'integration_log', owner: 'integration_id', most, older: { at: 'at', days } })
