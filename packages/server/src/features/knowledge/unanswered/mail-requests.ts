// People who want an answer by e-mail: rows of the table that the example "Questions and answers" fills.
// A row stays until a member deletes it, so a request is not lost when a document answers its question.
import { ApiError } from '@botstead/contract'
import type { Db } from '../../../core/db/index.ts'
import {
  findLatestRows,
  type TableServices,
  wholeBot,
} from '../../../core/tables/index.ts'

/** With the columns `question` and `email`. */
const tableName = 'OpenQuestionsTable'
const maxQuestions = 1_000
const maxRows = 200

export interface MailRequest {
  question: string
  email: string
  rowId: number
}

/** Returns the requests with these questions, the latest first; none for a bot without such a table. */
export const findMailRequests = (
  db: Db,
  tableCache: TableServices['tableCache'],
  botId: string,
  questions: string[],
): Promise<MailRequest[]> =>
  tableCache
    .use(wholeBot(botId), tableName, async (table) => {
      const $in = questions.slice(0, maxQuestions)
      const rows = await findLatestRows(db, table, { question: { $in } }, maxRows)
      const toColumnId = (name: string) =>
        table.columns.find((column) => column.name === name)?.id ?? ''
      const [question, email] = [toColumnId('question'), toColumnId('email')]
      return rows.flatMap(({ row_id, data }) =>
        toRequest(Number(row_id), data[question], data[email]),
      )
    })
    .catch(noneWithoutTable)

const toRequest = (rowId: number, question: unknown, email: unknown): MailRequest[] =>
  typeof question === 'string' && typeof email === 'string' && email !== ''
    ? [{ question, email, rowId }]
    : []

/** A table of this name may have other columns: then the filter is invalid. */
function noneWithoutTable(error: unknown): MailRequest[] {
  const isWithout =
    error instanceof ApiError && ['ResourceNotFound', 'InvalidQuery'].includes(error.type)
  if (isWithout) return []
  throw error
}
