// Imports curated answers from CSV, row by row: one that is invalid is reported and keeps no other.
import { ApiError, type RejectedAnswer } from '@botstead/contract'
import type { Db } from '../../../core/db/index.ts'
import { listBaseNames } from '../search/knowledge-bases.ts'
import { type ImportedAnswer, readAnswers } from './answer-csv.ts'
import {
  type CuratedAnswerRow,
  createCuratedAnswer,
  listCuratedAnswers,
  maxAnswers,
  type NewCuratedAnswer,
  toCuratedAnswer,
  updateCuratedAnswer,
} from './curated-answers.ts'

interface ImportResult {
  created: number
  updated: number
  unchanged: number
  errors: RejectedAnswer[]
}

type Outcome = 'created' | 'updated' | 'unchanged'

/** Throws InvalidPayload for a file without the necessary columns. */
export async function importAnswers(
  db: Db,
  botId: string,
  accountId: string | null,
  csv: string,
): Promise<ImportResult> {
  const { answers, errors } = readAnswers(csv)
  const idsByName = new Map(
    [...(await listBaseNames(db, botId))].map(([id, name]) => [name, id]),
  )
  const rows = await listCuratedAnswers(db, botId, { limit: maxAnswers })
  const stored = new Map(rows.map((row) => [row.id, row]))
  const result: ImportResult = { created: 0, updated: 0, unchanged: 0, errors }
  const store = async (imported: ImportedAnswer): Promise<Outcome> => {
    const answer = { ...imported.answer, knowledgeBaseId: toBaseId(imported, idsByName) }
    if (imported.id === null) {
      if (rows.some((row) => isSame(row, answer))) return 'unchanged'
      rows.push(await createCuratedAnswer(db, botId, accountId, answer))
      return 'created'
    }
    const before = stored.get(imported.id)
    if (before && isSame(before, answer)) return 'unchanged'
    await updateCuratedAnswer(db, botId, imported.id, answer)
    return 'updated'
  }
  for (const imported of answers) {
    const outcome = await store(imported).catch((error) => toMessage(error))
    if (typeof outcome === 'string') result[outcome] += 1
    else errors.push({ line: imported.line, ...outcome })
  }
  errors.sort((a, b) => a.line - b.line)
  return result
}

function toBaseId(
  { knowledgeBase }: ImportedAnswer,
  idsByName: Map<string, string>,
): string | null {
  if (knowledgeBase === null) return null
  const id = idsByName.get(knowledgeBase)
  if (id === undefined)
    throw new ApiError(
      'ReferenceNotFound',
      `The bot has no knowledge base "${knowledgeBase}"`,
    )
  return id
}

function isSame(row: CuratedAnswerRow, answer: NewCuratedAnswer): boolean {
  const { id, accountId, createdAt, updatedAt, ...stored } = toCuratedAnswer(row)
  const time = (moment: string | null | undefined) => moment && new Date(moment).getTime()
  const toText = ({ questions, text, buttons, ...other }: NewCuratedAnswer) =>
    JSON.stringify([
      questions,
      text,
      buttons ?? [],
      other.imageUrl ?? null,
      other.language ?? null,
      other.knowledgeBaseId ?? null,
      time(other.validFrom) ?? null,
      time(other.validTo) ?? null,
    ])
  return toText(stored) === toText(answer)
}

function toMessage(error: unknown): { message: string } {
  if (error instanceof ApiError) return { message: error.message }
  throw error
}
