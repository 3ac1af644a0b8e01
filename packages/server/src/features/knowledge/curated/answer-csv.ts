// Curated answers as CSV, and back.
import {
  type AnswerButton,
  ApiError,
  type CuratedAnswer,
  parseMoment,
  type RejectedAnswer,
} from '@botstead/contract'
import { CsvReader, type CsvRecord, detectDialect } from '@botstead/extraction'
import { csvLine, withoutFormula } from '../../../core/tables/index.ts'
import type { NewCuratedAnswer } from './curated-answers.ts'

const columns = [
  'id',
  'questions',
  'answer',
  'buttons',
  'picture',
  'language',
  'knowledgeBase',
  'validFrom',
  'validTo',
] as const
type ColumnName = (typeof columns)[number]

/** An answer of a row. */
export interface ImportedAnswer {
  line: number
  id: string | null
  /** Name of the knowledge base. */
  knowledgeBase: string | null
  answer: NewCuratedAnswer
}

interface ReadCsv {
  answers: ImportedAnswer[]
  errors: RejectedAnswer[]
}

const maxRecord = 100_000
const maxRows = 5_000

/** Throws InvalidPayload for a file without the columns `questions` and `answer`. */
export function readAnswers(csv: string): ReadCsv {
  const { delimiter, from } = detectDialect(csv.slice(0, 16_384))
  const [header, ...rows] = readRecords(csv.slice(from).replace(/^\ufeff/, ''), delimiter)
  const names = toColumnNames(header)
  const read: ReadCsv = { answers: [], errors: [] }
  for (const row of rows) {
    if (row.cells.every((cell) => !cell?.trim())) continue
    const problem = findProblem(row, names)
    if (problem) read.errors.push({ line: row.line, message: problem })
    else read.answers.push(toImported(row.line, toCells(row, names)))
  }
  return read
}

function readRecords(text: string, delimiter: string): CsvRecord[] {
  const reader = new CsvReader(delimiter, { maxRecord })
  try {
    const records = [...reader.read(text), ...reader.end()]
    if (records.length > maxRows + 1) reject(`The file has more than ${maxRows} rows`)
    return records
  } catch (error) {
    if (error instanceof Error && error.name === 'CsvError') reject(error.message)
    throw error
  }
}

function toColumnNames(header: CsvRecord | undefined): (ColumnName | null)[] {
  const given = (header?.cells ?? []).map((cell) => (cell ?? '').trim())
  const names = given.map((name) => {
    const plain = name.toLowerCase().replace(/[\s_-]/g, '')
    const alias = aliases[plain] ?? plain
    return columns.find((column) => column.toLowerCase() === alias) ?? null
  })
  const unknown = given.find((name, at) => name !== '' && names[at] === null)
  if (unknown !== undefined)
    reject(
      `The first line has the unknown column "${unknown}". Columns: ${columns.join(', ')}`,
    )
  for (const needed of ['questions', 'answer'] as const)
    if (!names.includes(needed)) reject(`The first line has no column \`${needed}\``)
  const repeated = names.find(
    (name, at) => name && name !== 'questions' && names.indexOf(name) < at,
  )
  if (repeated) reject(`The first line has the column \`${repeated}\` twice`)
  return names
}

const aliases: Record<string, string> = {
  question: 'questions',
  text: 'answer',
  image: 'picture',
  imageurl: 'picture',
}

function reject(message: string): never {
  throw new ApiError('InvalidPayload', `\`csv\`: ${message}`)
}

type Cells = Record<ColumnName, string>

/** Several columns `question` are joined. */
function toCells({ cells }: CsvRecord, names: (ColumnName | null)[]): Cells {
  const values = Object.fromEntries(columns.map((name) => [name, ''])) as Cells
  for (const [at, name] of names.entries()) {
    const value = withFormula(cells[at]?.trim() ?? '')
    if (name && value !== '')
      values[name] = values[name] === '' ? value : `${values[name]}\n${value}`
  }
  return values
}

/** An export puts `'` before what a spreadsheet would run. */
const withFormula = (cell: string) =>
  cell.startsWith("'") && withoutFormula(cell.slice(1)) === cell ? cell.slice(1) : cell

const toLines = (cell: string) =>
  cell
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

function findProblem(row: CsvRecord, names: (ColumnName | null)[]): string | null {
  const excess = row.cells.slice(names.length).find((cell) => cell?.trim())
  if (excess)
    return `The row has more cells than the first line: "${excess.slice(0, 100)}"`
  const cells = toCells(row, names)
  const questions = toLines(cells.questions)
  if (questions.length === 0) return '`questions` is empty'
  if (questions.length > 20) return '`questions` has more than 20 lines'
  if (questions.some((question) => question.length > 300))
    return '`questions` has a line of more than 300 characters'
  if (cells.answer === '') return '`answer` is empty'
  if (cells.answer.length > 5_000) return '`answer` has more than 5000 characters'
  const buttons = toLines(cells.buttons).map(toButton)
  if (buttons.length > 13) return '`buttons` has more than 13 lines'
  if (
    buttons.some(
      ({ label, value = label }) =>
        label === '' || label.length > 100 || value.length > 500,
    )
  )
    return '`buttons` has a line without a label, or one that is too long'
  if (!/^([a-z]{2,3}(-[a-z0-9]{2,8}){0,2})?$/i.test(cells.language))
    return `\`language\` must be a code such as en: "${cells.language.slice(0, 100)}"`
  for (const name of ['validFrom', 'validTo'] as const)
    if (cells[name] !== '' && !parseMoment(cells[name]))
      return `\`${name}\` is no time such as 2026-12-24T08:00:00Z: "${cells[name].slice(0, 100)}"`
  return null
}

/** `label` or `label = message`; in a label, ` \\= ` stands for the sign. */
function toButton(line: string): AnswerButton {
  const at = line.indexOf(separator)
  const [label, value] =
    at < 0 ? [line] : [line.slice(0, at), line.slice(at + separator.length)]
  return {
    label: label.replaceAll(escaped, separator).trim(),
    ...(value && { value: value.trim() }),
  }
}

const separator = ' = '
const escaped = ' \\= '

function toLine({ label, value }: AnswerButton): string {
  const name = label.replaceAll(separator, escaped)
  return value === undefined ? name : `${name}${separator}${value}`
}

const orNull = (cell: string) => (cell === '' ? null : cell)

const toImported = (line: number, cells: Cells): ImportedAnswer => ({
  line,
  id: orNull(cells.id),
  knowledgeBase: orNull(cells.knowledgeBase),
  answer: {
    questions: toLines(cells.questions),
    text: cells.answer,
    buttons: toLines(cells.buttons).map(toButton),
    imageUrl: orNull(cells.picture),
    language: orNull(cells.language),
    validFrom: orNull(cells.validFrom),
    validTo: orNull(cells.validTo),
  },
})

/** `getName` returns the name of a knowledge base. */
export const writeAnswers = (
  answers: CuratedAnswer[],
  getName: (id: string) => string,
): string =>
  [columns, ...answers.map((answer) => toRow(answer, getName).map(withoutFormula))]
    .map((cells) => csvLine([...cells]))
    .join('')

const toRow = (answer: CuratedAnswer, getName: (id: string) => string): string[] => [
  answer.id,
  answer.questions.join('\n'),
  answer.text,
  answer.buttons.map(toLine).join('\n'),
  answer.imageUrl ?? '',
  answer.language ?? '',
  answer.knowledgeBaseId === undefined ? '' : getName(answer.knowledgeBaseId),
  answer.validFrom ?? '',
  answer.validTo ?? '',
]
