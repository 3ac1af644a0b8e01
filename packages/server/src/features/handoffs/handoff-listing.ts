// Lists and counts handoffs, by age: ids begin with the time.
import type { Handoff } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import type { Tags } from '../../core/messaging/index.ts'
import type { FoundText } from './handoff-search.ts'

interface HandoffFilter {
  state?: 'open' | 'waiting' | 'closed' | undefined
  assignedTo?: string | undefined
  conversationId?: string | undefined
  source?: Handoff['source'] | undefined
  tags?: Tags | undefined
  found?: FoundText | undefined
}

interface HandoffListing extends HandoffFilter {
  sortDirection: 'asc' | 'desc'
  /** Id of the last row of the page before. */
  position: string | null
  limit: number
}

export function listHandoffs(db: Db, botId: string, listing: HandoffListing) {
  const { sortDirection, position, limit, ...filter } = listing
  let query = selectHandoffs(db, botId, filter, sortDirection).selectAll()
  if (position !== null)
    query = query.where('id', sortDirection === 'asc' ? '>' : '<', position)
  return query.orderBy('id', sortDirection).limit(limit).execute()
}

/** Counting stops there. */
const maxCounted = 1_000

export async function countHandoffs(
  db: Db,
  botId: string,
  filter: HandoffFilter,
): Promise<number> {
  const counted = selectHandoffs(db, botId, filter, 'desc')
    .select('id')
    .limit(maxCounted)
    .as('counted')
  const { count } = await db
    .selectFrom(counted)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function selectHandoffs(
  db: Db,
  botId: string,
  { source, tags, found, ...filter }: HandoffFilter,
  direction: 'asc' | 'desc',
) {
  let query = selectByState(db, botId, filter)
  if (source !== undefined) query = query.where('source', '=', source)
  if (tags !== undefined) query = query.where(hasTags(botId, tags))
  if (found?.ids)
    return query.where(sql<boolean>`conversation_id = any(${found.ids}::text[])`)
  if (!found) return query
  const read = query
    .selectAll()
    .orderBy('id', direction)
    .limit(found.maxRead)
    .as('handoff')
  return db.selectFrom(read).where(found.check)
}

function selectByState(db: Db, botId: string, filter: HandoffFilter) {
  const { state, assignedTo, conversationId } = filter
  let query = db.selectFrom('handoff').where('bot_id', '=', botId)
  if (conversationId !== undefined)
    query = query.where('conversation_id', '=', conversationId)
  if (assignedTo !== undefined) query = query.where('assigned_to', '=', assignedTo)
  if (state === 'waiting') query = query.where(isWaiting)
  if (state === 'closed') return query.where('closed_at', 'is not', null)
  if (state !== undefined || assignedTo !== undefined)
    query = query.where('closed_at', 'is', null)
  return query
}

/** At a help desk, a person without an account here may answer. */
const isWaiting = sql<boolean>`(assigned_to is null and (source <> 'hitl' or assigned_at is null))`

/** By the index of migration 0121. */
const hasTags = (botId: string, tags: Tags): RawBuilder<boolean> =>
  sql`tags <> '{}' and jsonb_set('{}', array[bot_id], tags) @>
    ${JSON.stringify({ [botId]: tags })}::jsonb`
