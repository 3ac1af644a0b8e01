// Lists work with a due time: scheduled events and messages, and recurring events.
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../db/index.ts'

interface ScheduledRow {
  id: string
  type: string
  due_at: Date
  created_at: Date
  conversation_id: string | null
}

interface Page {
  position: { at: Date; id: string } | null
  limit: number
}

const tables = { event: 'event', message: 'scheduled_message' } as const

/** Returns the earliest first. */
export async function listScheduled(
  db: Db,
  botId: string,
  kind: keyof typeof tables,
  { position, limit }: Page,
): Promise<ScheduledRow[]> {
  const after = position
    ? sql`and (due_at, id) > (${position.at}, ${position.id})`
    : sql`and due_at is not null`
  const { rows } = await sql<ScheduledRow>`
    select id, type, due_at, created_at, conversation_id from ${sql.table(tables[kind])}
    where bot_id = ${botId} ${after} order by due_at, id limit ${limit}`.execute(db)
  return rows
}

export type RecurringRow = Omit<
  Selectable<Schema['recurring_event']>,
  'bot_id' | 'payload'
>

/** Returns the next one first. */
export const listRecurring = (
  db: Db,
  botId: string,
  limit: number,
): Promise<RecurringRow[]> =>
  db
    .selectFrom('recurring_event')
    .select(['key', 'type', 'cron', 'next_at', 'failed_attempts', 'last_failure_reason'])
    .where('bot_id', '=', botId)
    .orderBy(sql`next_at nulls last`)
    .orderBy('key')
    .limit(limit)
    .execute()
