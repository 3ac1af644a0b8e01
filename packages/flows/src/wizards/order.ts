// Makes a dialogue that asks for a number, finds the row of a table with it, and tells its columns.
import type { Json } from '../edits/edit.ts'
import type { KnownColumn, KnownTable, OrderAnswers } from './answers.ts'
import type { DialogueBuilder } from './builder.ts'
import { addNotFound, addOffer, addPerson } from './endings.ts'
import { toName } from './names.ts'
import { toReadableDate, toReadableNumber } from './readable.ts'
import { type StoredPart, useTable } from './tables.ts'
import { expression, joined, standard, type Text, toTemplate, written } from './text.ts'

/** Columns of a new table; that of `checkColumn` follows. */
const newColumns: StoredPart[] = [
  { id: 'number', name: 'number', column: { type: 'string' } },
  { id: 'status', name: 'status', column: { type: 'string' } },
]

/** Returns the columns by name that the sentence may contain. */
export function listOrderColumns(
  { table, checkColumn }: OrderAnswers,
  known: KnownTable[],
): Record<string, KnownColumn> {
  if (table.kind === 'existing')
    return known.find(({ name }) => name === table.name)?.columns ?? {}
  const check =
    checkColumn === '' ? [] : [[toName(checkColumn, 'check'), { type: 'string' }]]
  return Object.fromEntries([
    ...newColumns.map(({ name, column }) => [name, column]),
    ...check,
  ])
}

export function addOrder(
  builder: DialogueBuilder,
  answers: OrderAnswers,
  known: KnownTable[],
): void {
  const { offersPerson, title } = answers
  const { table, numberColumn, checkColumn, columns } = useOrders(builder, answers, known)
  const cells = declareCells(builder, answers, columns)
  const number = builder.variable('enteredNumber', 'string')
  const check = checkColumn && builder.variable('enteredCheck', 'string')
  const orders = builder.variable('orders', 'array')
  const attempts = builder.variable('attempts', 'number', { default: 0 })
  const alike: Json = {
    [numberColumn]: `{{ ${number} }}`,
    ...(check && { [checkColumn]: `{{ ${check} }}` }),
  }
  builder.node(
    'enterNumber',
    [toQuestion(builder, builder.standard('askNumber'), number)],
    check ? 'enterCheck' : 'findOrder',
  )
  if (check) {
    const column = written(answers.checkColumn, builder.language)
    builder.node(
      'enterCheck',
      [toQuestion(builder, builder.standard('askCheck', { column }), check)],
      'findOrder',
    )
  }
  builder.node(
    'findOrder',
    [
      { type: 'table', table, operation: 'find', alike, limit: 1, into: orders },
      { type: 'transition', when: `${orders}.length === 0`, to: 'notFound' },
    ],
    'tellStatus',
  )
  builder.node('tellStatus', [
    ...[...cells].map(([name, variable]) => ({
      type: 'set',
      variable,
      value: `{{ ${toCell(builder, `${orders}[0][${JSON.stringify(name)}]`, columns[name]!)} }}`,
    })),
    { type: 'send', message: builder.say(toSentence(answers, builder.language, cells)) },
  ])
  const fails = offersPerson ? 'offerPerson' : 'givenUp'
  addNotFound(builder, { text: 'unknownNumber', attempts, again: 'enterNumber', fails })
  if (offersPerson) {
    addOffer(builder, 'offerPerson')
    addPerson(builder, title, expression(`${number} ?? ""`))
  }
  builder.node('givenUp', [{ type: 'send', message: builder.standard('givenUp') }])
  builder.node('cancelled', [{ type: 'send', message: builder.standard('noPerson') }])
}

function useOrders(builder: DialogueBuilder, answers: OrderAnswers, known: KnownTable[]) {
  const { table: choice, numberColumn, checkColumn } = answers
  const columns = listOrderColumns(answers, known)
  if (choice.kind === 'existing') {
    const named = [numberColumn, checkColumn, ...listSentenceColumns(answers.sentence)]
    const used = [...new Set(named)].filter((name) => Object.hasOwn(columns, name))
    const parts = used.map((name) => ({ id: name, name, column: { ...columns[name]! } }))
    const chosen = Object.fromEntries(used.map((name) => [name, name]))
    const { name } = useTable(builder, {
      choice: { ...choice, columns: chosen },
      parts,
      known,
    })!
    return { table: name, numberColumn, checkColumn, columns }
  }
  const check = checkColumn && toName(checkColumn, 'check')
  const parts: StoredPart[] = [
    ...newColumns,
    ...(check ? [{ id: 'check', name: check, column: { type: 'string' } }] : []),
  ]
  const { name } = useTable(builder, { choice, parts, known, keyPart: 'number' })!
  return { table: name, numberColumn: 'number', checkColumn: check, columns }
}

const toQuestion = (builder: DialogueBuilder, question: string, into: string) => ({
  type: 'capture',
  kind: 'text',
  question,
  max: 200,
  into,
  cancelWords: builder.words('cancelWords'),
  onCancel: 'cancelled',
  onFail: 'notFound',
})

/** Declares a variable for each column of the sentence, so that its text and translations are readable. */
function declareCells(
  builder: DialogueBuilder,
  { sentence }: OrderAnswers,
  columns: Record<string, KnownColumn>,
): Map<string, string> {
  const named = new Set(listSentenceColumns(sentence))
  return new Map(
    [...named]
      .filter((name) => Object.hasOwn(columns, name))
      .map((name) => [name, builder.variable(toName(name, 'column'), 'string')]),
  )
}

/** Returns the expression of a cell as people read it. */
function toCell(
  builder: DialogueBuilder,
  value: string,
  { type, format }: KnownColumn,
): string {
  if (type === 'number') return toReadableNumber(value, builder.language)
  // Imports store a day as its midnight in UTC.
  if (format === 'date-time' || format === 'date')
    return toReadableDate(`${value}?.replace("T00:00:00.000Z", "")`, builder)
  if (type === 'string') return `${value} ?? "–"`
  return `${value} == null ? "–" : JSON.stringify(${value})`
}

/** Returns the standard answer with these columns. */
const toStandardSentence = (language: string, number: string, status: string): string =>
  standard('sentence', { number: () => `{${number}}`, status: () => `{${status}}` })(
    language,
    'en',
  )!

/** In the languages of the wizards: `Status`, `Zustand`, `Estado`, `Situação`. */
const statusName = /stat|stand|état|estado|situa/i

/** Returns the answer; the standard one if it names columns that the table does not have. */
export function fitSentence(answers: OrderAnswers, known: KnownTable[]): string {
  const { sentence, language, table, numberColumn } = answers
  const names = Object.keys(listOrderColumns(answers, known))
  const status = names.find((name) => statusName.test(name))
  const fits = listSentenceColumns(sentence).every((name) => names.includes(name))
  if (fits || status === undefined) return sentence
  const number = table.kind === 'existing' ? numberColumn : 'number'
  return toStandardSentence(language, number, status)
}

/** Columns in braces become their values. */
function toSentence(
  { sentence }: OrderAnswers,
  language: string,
  cells: Map<string, string>,
): Text {
  const [number = '', status = ''] = cells.keys()
  const part = (name: string) => expression(cells.get(name)!)
  if (sentence === toStandardSentence(language, number, status))
    return standard('sentence', { number: part(number), status: part(status) })
  const pieces = sentence.split(/\{([^{}]+)\}/)
  const text = joined(
    pieces.map((piece, index): Text => {
      const template = index % 2 === 1 ? '' : toTemplate(piece)
      return index % 2 === 1 ? part(piece) : () => template
    }),
  )
  return (wanted, fallback) => (wanted === language ? text(wanted, fallback) : null)
}

/** Returns the names of columns in braces. */
export const listSentenceColumns = (sentence: string): string[] =>
  sentence.split(/\{([^{}]+)\}/).filter((_, index) => index % 2 === 1)
