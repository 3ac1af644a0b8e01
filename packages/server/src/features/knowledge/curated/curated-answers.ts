// Owns the table curated_answer: answers that people write to questions. ready-answers.ts finds the answer
// to a question.
import {
  type AnswerButton,
  ApiError,
  type CuratedAnswer,
  parseMoment,
} from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import { type Db, type Schema, toJson } from '../../../core/db/index.ts'
import { newId } from '../../../core/lib/index.ts'
import { toWords } from './questions.ts'

export type CuratedAnswerRow = Selectable<Schema['curated_answer']>

/** Null clears a field. */
interface OptionalFields {
  buttons?: AnswerButton[] | undefined
  imageUrl?: string | null | undefined
  language?: string | null | undefined
  knowledgeBaseId?: string | null | undefined
  validFrom?: string | null | undefined
  validTo?: string | null | undefined
}

export interface NewCuratedAnswer extends OptionalFields {
  questions: string[]
  text: string
}

interface CuratedAnswerChanges extends OptionalFields {
  questions?: string[] | undefined
  text?: string | undefined
}

export const maxAnswers = 1_000
const maxQuestions = 5_000

/** Throws InvalidPayload, ReferenceNotFound, LimitExceeded. */
export async function createCuratedAnswer(
  db: Db,
  botId: string,
  accountId: string | null,
  answer: NewCuratedAnswer,
): Promise<CuratedAnswerRow> {
  const values = await toColumns(db, botId, answer)
  checkPeriod(values)
  await checkLimits(db, botId, { answers: 1, questions: answer.questions.length })
  return db
    .insertInto('curated_answer')
    .values({
      bot_id: botId,
      id: newId('curatedAnswer'),
      account_id: accountId,
      ...values,
      questions: answer.questions,
      text: answer.text,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Absent fields stay unchanged. Throws ResourceNotFound and what a creation throws. */
export async function updateCuratedAnswer(
  db: Db,
  botId: string,
  id: string,
  changes: CuratedAnswerChanges,
): Promise<CuratedAnswerRow> {
  const before = await findCuratedAnswer(db, botId, id)
  const values = await toColumns(db, botId, changes)
  checkPeriod({ ...before, ...values })
  const { questions = before.questions } = changes
  const added = questions.length - before.questions.length
  if (added > 0) await checkLimits(db, botId, { answers: 0, questions: added })
  const changed = await db
    .updateTable('curated_answer')
    .set({
      ...values,
      updated_at: sql`greatest(now(), updated_at + interval '1 millisecond')`,
    })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return changed ?? rejectId(id)
}

/** Throws ResourceNotFound. */
export async function findCuratedAnswer(
  db: Db,
  botId: string,
  id: string,
): Promise<CuratedAnswerRow> {
  const found = await db
    .selectFrom('curated_answer')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found ?? rejectId(id)
}

/** Throws ResourceNotFound. */
export async function deleteCuratedAnswer(
  db: Db,
  botId: string,
  id: string,
): Promise<void> {
  const deleted = await db
    .deleteFrom('curated_answer')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) rejectId(id)
}

interface Listing {
  /** Words that questions or text contain. */
  search?: string | undefined
  language?: string | undefined
  knowledgeBaseId?: string | undefined
  /** Id of the last row of the page before. */
  position?: string | null
  limit: number
}

/** Lists answers, newest first: ids begin with the time. */
export function listCuratedAnswers(
  db: Db,
  botId: string,
  { search = '', language, knowledgeBaseId, position = null, limit }: Listing,
): Promise<CuratedAnswerRow[]> {
  let query = db.selectFrom('curated_answer').selectAll().where('bot_id', '=', botId)
  if (language !== undefined) query = query.where('language', '=', language)
  if (knowledgeBaseId !== undefined)
    query = query.where('knowledge_base_id', '=', knowledgeBaseId)
  if (position !== null) query = query.where('id', '<', position)
  for (const word of search.split(/\s+/).filter(Boolean).slice(0, maxSearchWords))
    query = query.where(
      sql<boolean>`strpos(lower(array_to_string(questions, ' ') || ' ' || text), lower(${word})) > 0`,
    )
  return query.orderBy('id', 'desc').limit(limit).execute()
}

const maxSearchWords = 20

export async function hasCuratedAnswers(db: Db, botId: string): Promise<boolean> {
  const found = await db
    .selectFrom('curated_answer')
    .select('id')
    .where('bot_id', '=', botId)
    // Otherwise PostgreSQL may scan the table.
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

async function checkLimits(
  db: Db,
  botId: string,
  added: { answers: number; questions: number },
): Promise<void> {
  const { answers, questions } = await db
    .selectFrom('curated_answer')
    .select([
      sql<number>`count(*)::int`.as('answers'),
      sql<number>`coalesce(sum(cardinality(questions)), 0)::int`.as('questions'),
    ])
    .where('bot_id', '=', botId)
    .executeTakeFirstOrThrow()
  if (answers + added.answers > maxAnswers)
    throw new ApiError(
      'LimitExceeded',
      `A bot may have at most ${maxAnswers} curated answers`,
    )
  if (questions + added.questions > maxQuestions)
    throw new ApiError(
      'LimitExceeded',
      `The curated answers of a bot may have at most ${maxQuestions} questions`,
    )
}

/** Returns the columns of the fields that are present. */
async function toColumns(db: Db, botId: string, fields: CuratedAnswerChanges) {
  const {
    questions,
    text,
    buttons,
    imageUrl,
    language,
    knowledgeBaseId,
    validFrom,
    validTo,
  } = fields
  for (const [at, question] of (questions ?? []).entries()) checkQuestion(question, at)
  if (text?.trim() === '') throw new ApiError('InvalidPayload', '`text` is empty')
  if (imageUrl) checkImageUrl(imageUrl)
  if (knowledgeBaseId) await checkKnowledgeBase(db, botId, knowledgeBaseId)
  return {
    ...(questions && { questions }),
    ...(text !== undefined && { text }),
    ...(buttons && { buttons: toJson(buttons) }),
    ...(imageUrl !== undefined && { image_url: imageUrl }),
    ...(language !== undefined && { language }),
    ...(knowledgeBaseId !== undefined && { knowledge_base_id: knowledgeBaseId }),
    ...(validFrom !== undefined && { valid_from: toDate(validFrom) }),
    ...(validTo !== undefined && { valid_to: toDate(validTo) }),
  }
}

const toDate = (moment: string | null) => (moment === null ? null : parseMoment(moment)!)

function checkQuestion(question: string, at: number): void {
  if (toWords(question).length > 0) return
  throw new ApiError('InvalidPayload', `\`questions[${at}]\` has no word: "${question}"`)
}

function checkImageUrl(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw new ApiError(
    'InvalidPayload',
    `\`imageUrl\` must begin with https:// or http://: "${url}"`,
  )
}

async function checkKnowledgeBase(db: Db, botId: string, id: string): Promise<void> {
  const found = await db
    .selectFrom('knowledge_base')
    .select('id')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found)
    throw new ApiError('ReferenceNotFound', `Knowledge base "${id}" was not found`)
}

function checkPeriod({
  valid_from: from,
  valid_to: to,
}: {
  valid_from?: Date | null
  valid_to?: Date | null
}): void {
  if (from && to && from >= to)
    throw new ApiError('InvalidPayload', '`validTo` must be after `validFrom`')
}

function rejectId(id: string): never {
  throw new ApiError('ResourceNotFound', `Curated answer "${id}" was not found`)
}

export const toCuratedAnswer = (row: CuratedAnswerRow): CuratedAnswer => ({
  id: row.id,
  questions: row.questions,
  text: row.text,
  buttons: row.buttons,
  ...(row.image_url !== null && { imageUrl: row.image_url }),
  ...(row.language !== null && { language: row.language }),
  ...(row.knowledge_base_id !== null && { knowledgeBaseId: row.knowledge_base_id }),
  ...(row.valid_from && { validFrom: row.valid_from.toISOString() }),
  ...(row.valid_to && { validTo: row.valid_to.toISOString() }),
  ...(row.account_id !== null && { accountId: row.account_id }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
