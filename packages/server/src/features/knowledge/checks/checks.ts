// Owns the table knowledge_check: questions with the answer that a person expects. check-runs.ts asks them.
import { ApiError, type CheckResult, type KnowledgeCheck } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../../core/db/index.ts'
import { newId } from '../../../core/lib/index.ts'

export type CheckRow = Selectable<Schema['knowledge_check']>

interface NewCheck {
  question: string
  expectedFile?: string | undefined
  expectedText?: string | undefined
}

export const maxChecks = 200

/** Throws InvalidPayload, LimitExceeded. */
export async function createCheck(
  db: Db,
  botId: string,
  check: NewCheck,
): Promise<CheckRow> {
  const values = toValues(check)
  if ((await listChecks(db, botId, { limit: maxChecks })).length >= maxChecks)
    throw new ApiError('LimitExceeded', `A bot may have at most ${maxChecks} checks`)
  return db
    .insertInto('knowledge_check')
    .values({ bot_id: botId, id: newId('knowledgeCheck'), ...values })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes the results, which are those of another question. Throws InvalidPayload, ResourceNotFound. */
export async function updateCheck(
  db: Db,
  botId: string,
  id: string,
  check: NewCheck,
): Promise<CheckRow> {
  const updated = await db
    .updateTable('knowledge_check')
    .set({ ...toValues(check), result: null, previous_result: null })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!updated) throw noCheck(id)
  return updated
}

function toValues({ question, expectedFile, expectedText }: NewCheck) {
  if (expectedFile === undefined && expectedText === undefined)
    throw new ApiError('InvalidPayload', 'Specify `expectedFile`, `expectedText` or both')
  return {
    question,
    expected_file: expectedFile ?? null,
    expected_text: expectedText ?? null,
  }
}

const noCheck = (id: string) =>
  new ApiError('ResourceNotFound', `Check "${id}" was not found`)

interface Listing {
  /** Id of the last row of the page before. */
  position?: string | null
  limit: number
}

/** Lists checks, newest first: ids begin with the time. */
export function listChecks(
  db: Db,
  botId: string,
  { position = null, limit }: Listing,
): Promise<CheckRow[]> {
  let query = db.selectFrom('knowledge_check').selectAll().where('bot_id', '=', botId)
  if (position !== null) query = query.where('id', '<', position)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** Throws ResourceNotFound. */
export async function deleteCheck(db: Db, botId: string, id: string): Promise<void> {
  const deleted = await db
    .deleteFrom('knowledge_check')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw noCheck(id)
}

/** Stores the results of a run; those of the run before become the previous ones. */
export async function storeResults(
  db: Db,
  botId: string,
  results: { id: string; result: CheckResult }[],
): Promise<CheckRow[]> {
  const { rows } = await sql<CheckRow>`
    update knowledge_check c set previous_result = c.result, result = given.result
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as given (id text, result jsonb)
    where c.bot_id = ${botId} and c.id = given.id returning c.*`.execute(db)
  return rows.sort((a, b) => (a.id < b.id ? 1 : -1))
}

export const toCheck = (row: CheckRow): KnowledgeCheck => ({
  id: row.id,
  question: row.question,
  ...(row.expected_file !== null && { expectedFile: row.expected_file }),
  ...(row.expected_text !== null && { expectedText: row.expected_text }),
  ...(row.result && { result: row.result }),
  ...(row.previous_result && { previousResult: row.previous_result }),
  createdAt: row.created_at.toISOString(),
})
