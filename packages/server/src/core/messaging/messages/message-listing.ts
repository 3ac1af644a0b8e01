// Lists messages of a conversation or of a bot.
import { sql } from 'kysely'
import { type BoundStatement, type Database, type Db, statement } from '../../db/index.ts'
import { tagKey } from '../../lib/index.ts'
import { hasTags } from '../tags/tag-columns.ts'
import { storedTags, type Tags, type Viewer } from '../tags/tags.ts'
import {
  messagePage,
  type PageBounds,
  type PageValues,
  parseMessagePosition,
  toBounds,
  toMessagePosition,
  toPageValues,
} from './message-pages.ts'
import type { MessageRow } from './message-types.ts'
import { hasWithin, seenBy, toRow } from './messages.ts'

interface MessageListing {
  conversationId?: string | undefined
  tags?: Tags | undefined
  after?: Date | undefined
  before?: Date | undefined
  /**
   * Position of the previous page's last row: time and number in a conversation, otherwise the id.
   */
  position: string[] | null
  limit: number
}

/** Newest first. */
export function listMessages(
  database: Pick<Database, 'db' | 'run'>,
  botId: string,
  viewer: Viewer,
  listing: MessageListing,
): Promise<MessageRow[]> {
  const tags = storedTags(listing.tags ?? {}, viewer)
  return listing.conversationId === undefined
    ? listOverall(database.db, botId, viewer, { ...listing, tags })
    : listWithin(database, botId, viewer, { ...listing, tags })
}

/** Returns the position after this row. */
export const messageListPosition = (row: MessageRow, within: boolean) =>
  within ? toMessagePosition(row) : [row.id]

type Listing = MessageListing & { tags: Tags }

/**
 * Lists by id, which begins with the time. With a tag, uses the table of tag values (migration
 * 0012).
 */
async function listOverall(
  db: Db,
  botId: string,
  viewer: Viewer,
  { tags, after, before, position, limit }: Listing,
): Promise<MessageRow[]> {
  const [tag] = Object.entries(tags)
  const source = tag
    ? sql`tag_value t join message on message.bot_id = t.bot_id and message.id = t.subject_id
      and ${hasTags(tags)}`
    : sql`message`
  const [bot, id] = tag
    ? [sql`t.bot_id`, sql`t.subject_id`]
    : [sql`message.bot_id`, sql`message.id`]
  const bounds = [
    ...(tag
      ? [sql`t.kind = 'message' and t.key = ${tagKey(tag[0])} and t.value = ${tag[1]}`]
      : []),
    ...(position ? [sql`${id} < ${position[0]}`] : []),
    ...(after ? [sql`created_at >= ${after}`] : []),
    ...(before ? [sql`created_at <= ${before}`] : []),
  ]
  const { rows } = await sql<MessageRow>`
    select message.* from ${source}
    where ${bot} = ${botId} and ${sql.join([seenBy(viewer), ...bounds], sql` and `)} order by ${id} desc
      limit ${limit}`.execute(db)
  return rows
}

async function listWithin(
  { db, run }: Pick<Database, 'db' | 'run'>,
  botId: string,
  viewer: Viewer,
  { tags, conversationId = '', position, ...listing }: Listing,
): Promise<MessageRow[]> {
  const tagged = Object.keys(tags).length > 0
  const rare = tagged ? await findRare(db, botId, conversationId, tags) : null
  const window = { ...listing, position: parseMessagePosition(position) }
  const list = pageStatement({ ...toBounds(window), tagged, rare: rare !== null })
  const values = { ...toPageValues(window), botId, conversationId, viewer, rare }
  return run<MessageRow & { [column: string]: unknown }>(
    ...list({ ...values, tags: tagged ? JSON.stringify(tags) : null }),
  )
}

interface ListValues extends PageValues {
  botId: string
  conversationId: string
  viewer: Viewer
  /** JSON. */
  tags: string | null
  rare: string[] | null
}

const pageStatements = new Map<string, (values: ListValues) => BoundStatement>()

/** Returns the statement of a page with these bounds and conditions. There are 24. */
function pageStatement(parts: PageBounds & { tagged: boolean; rare: boolean }) {
  const chosen = Object.entries(parts).flatMap(([part, isChosen]) =>
    isChosen ? [part] : [],
  )
  const name = ['list-messages', ...chosen].join('-')
  const known = pageStatements.get(name)
  if (known) return known
  const where = [
    `(:viewer::text is null or :viewer = (select integration from conversation
      where bot_id = :botId and id = :conversationId))`,
    ...(parts.tagged ? ['tags @> :tags::jsonb'] : []),
    ...(parts.rare ? ['number = any(:rare::bigint[])'] : []),
  ]
  const page = messagePage(':conversationId::text', parts, where.join(' and '))
  const made = statement<ListValues>(
    name,
    `select bot_id, id, conversation_id, user_id, number, direction, type, payload, tags, origin,
      created_at, updated_at from ${page} page`,
  )
  pageStatements.set(name, made)
  return made
}
// Declared at once, so that the list of all statements shows them: without and with all conditions.
for (const all of [false, true])
  pageStatement({ imported: all, after: all, before: all, tagged: all, rare: all })

const maxRare = 500

/**
 * Returns the numbers of the messages with these tags if there are at most 500: then the index of
 * tags is best. Otherwise returns null: reading from the newest message fills a page soon. The
 * planner cannot distinguish the two cases.
 */
async function findRare(
  db: Db,
  botId: string,
  conversationId: string,
  tags: Tags,
): Promise<string[] | null> {
  const { rows } = await sql<{ number: string }>`
    select number from message where bot_id = ${botId} and conversation_id = ${conversationId}
      and ${hasWithin(conversationId, tags)} limit ${maxRare + 1}`.execute(db)
  return rows.length > maxRare ? null : rows.map(({ number }) => number)
}

/** Lists by number, the order of writing. Omits imported messages; use listMessages for these. */
export async function listNumberedMessages(
  db: Db,
  botId: string,
  conversationId: string,
  { after, limit }: { after: string; limit: number },
) {
  const query = db
    .selectFrom('message')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('conversation_id', '=', conversationId)
    .where('number', '>', after)
  return (await query.orderBy('number').limit(limit).execute()).map(toRow)
}
