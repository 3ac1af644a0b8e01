// Checks the answers of a form. Each fault names its field, so that a form can show it there.
import type { Json } from '../edits/edit.ts'
import { toObject } from '../texts/catalogue.ts'
import {
  answerKinds,
  type BookingAnswers,
  type CommonAnswers,
  type DialogueAnswers,
  dialogueKinds,
  type KnownTable,
  type OrderAnswers,
  type Question,
  type TableChoice,
} from './answers.ts'
import { bookingParts, maxBookingsOfDay } from './booking.ts'
import { findTimezone } from './builder.ts'
import { countTimes, readHours } from './free-times.ts'
import { toTableName } from './names.ts'
import { listOrderColumns, listSentenceColumns } from './order.ts'
import { toColumnOfQuestion } from './questions.ts'
import { listRatingParts } from './rating.ts'
import { toPhrase } from './reach.ts'
import { canStore, listTables, type StoredPart } from './tables.ts'
import { toKnownLanguage } from './text.ts'

/** `field` is the path of an answer: `questions.0.name`, `table.columns.slot`. */
export interface AnswerFault {
  field: string
  message: string
}

type Report = (field: string, message: string | null) => void

const maxColumns = 20

/** Returns the faults of the answers, in the order of the form. `tables` are those of the bot on the server. */
export function checkAnswers(
  document: Json,
  answers: DialogueAnswers,
  tables: KnownTable[],
): AnswerFault[] {
  const faults: AnswerFault[] = []
  const report: Report = (field, message) => {
    if (message !== null) faults.push({ field, message })
  }
  const known = listTables(document, tables)
  if (!dialogueKinds.includes(answers.kind)) {
    report('kind', `must be one of ${dialogueKinds.join(', ')}`)
    return faults
  }
  report('title', textFault(answers.title, 60))
  const isKnown = toKnownLanguage(answers.language) !== undefined
  if (toObject(document.languages).default === undefined && !isKnown)
    report(
      'language',
      'is not a language of the wizard. Use en, de, fr, es, it, pt or nl',
    )
  checkContent(answers, { document, known, report })
  checkReach(answers, report)
  return faults
}

interface Checking {
  document: Json
  known: KnownTable[]
  report: Report
}

function checkContent(answers: DialogueAnswers, checking: Checking) {
  const { report } = checking
  switch (answers.kind) {
    case 'contact':
    case 'own':
      checkQuestions(answers.questions, 1, report)
      report('closing', textFault(answers.closing, 1000))
      return checkTable(answers.table, answers.questions.map(toPart), checking)
    case 'booking':
      checkQuestions(answers.questions, 0, report)
      checkHours(answers, checking)
      return checkBookingTable(answers, checking)
    case 'order':
      return checkOrder(answers, checking)
    case 'rating': {
      report('question', textFault(answers.question, 500))
      report('lowUpTo', numberFault(answers.lowUpTo, 0, 4))
      const comment = answers.asksComment ? 'comment' : undefined
      return checkTable(answers.table, listRatingParts('rating', comment), checking)
    }
  }
}

/** Returns null for a text with words of at most this many characters. */
function textFault(text: string, max: number): string | null {
  if (text.trim() === '') return 'is empty. Fill it in'
  return text.length > max ? `has more than ${max} characters. Shorten it` : null
}

const numberFault = (value: number, min: number, max: number): string | null =>
  Number.isInteger(value) && value >= min && value <= max
    ? null
    : `must be a whole number from ${min} to ${max}`

const maxQuestions = 12

function checkQuestions(questions: Question[], min: number, report: Report) {
  if (questions.length < min) report('questions', 'is empty. Add a question')
  if (questions.length > maxQuestions)
    report('questions', `has more than ${maxQuestions} questions. Remove some`)
  const ids = questions.map(({ id }) => id)
  if (!ids.every((id) => /^q\d{1,6}$/.test(id)))
    report('questions', 'needs the ids q1, q2 and so on')
  if (new Set(ids).size < ids.length)
    report('questions', 'has two questions with the same id')
  for (const [index, { name, question, kind, choices }] of questions.entries()) {
    const at = `questions.${index}`
    report(`${at}.name`, textFault(name, 30))
    report(`${at}.question`, textFault(question, 500))
    if (!answerKinds.includes(kind))
      report(`${at}.kind`, `must be one of ${answerKinds.join(', ')}`)
    if (kind.endsWith('Choice')) report(`${at}.choices`, choicesFault(choices))
  }
}

function choicesFault(choices: string[]): string | null {
  if (choices.length < 2) return 'needs at least two choices, a line for each'
  if (choices.length > 50) return 'has more than 50 choices. Remove some'
  const fault = choices
    .map((choice) => textFault(choice, 100))
    .find((one) => one !== null)
  if (fault !== undefined) return `has a choice that ${fault}`
  const words = choices.map((choice) => choice.trim().toLowerCase())
  return new Set(words).size < words.length
    ? 'has the same choice twice. Remove one'
    : null
}

function checkHours(answers: BookingAnswers, { document, report }: Checking) {
  const { hours, minutes, capacity, noticeHours, daysAhead, timezone } = answers
  const isWrong = (text: string) => readHours(text) === null
  for (const [index, text] of hours.entries())
    if (isWrong(text))
      report(
        `hours.${index}`,
        'must be times in their order, such as 09:00-12:00, 13:00-17:00',
      )
  if (hours.length !== 7) report('hours', 'needs seven days, from Monday to Sunday')
  else if (hours.every((text) => text.trim() === ''))
    report('hours.0', 'is empty, and so are all days. Enter the times of a day')
  report('minutes', numberFault(minutes, 5, 1440))
  report('capacity', numberFault(capacity, 1, 20))
  report('noticeHours', numberFault(noticeHours, 0, 720))
  report('daysAhead', numberFault(daysAhead, 1, 365))
  if (minutes >= 5 && !hours.some(isWrong) && hours.some((text) => text.trim() !== '')) {
    const count = countTimes(hours, minutes)
    if (count === 0) report('minutes', 'is longer than the times of each day')
    if (count * capacity > maxBookingsOfDay)
      report('capacity', `allows more than ${maxBookingsOfDay} bookings a day. Lower it`)
  }
  if (findTimezone(document) === undefined && !isTimezone(timezone))
    report('timezone', 'is not a time zone. Use a name such as Europe/Zurich')
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name !== ''
  } catch {
    return false
  }
}

const toPart = ({ id, kind }: Question): StoredPart => ({
  id,
  name: id,
  column: toColumnOfQuestion(kind),
})

function checkBookingTable({ table, questions }: BookingAnswers, checking: Checking) {
  const { known, report } = checking
  if (table.kind === 'none') return report('table', 'is missing. Bookings need a table')
  checkTable(table, [...bookingParts, ...questions.map(toPart)], checking)
  if (table.kind === 'new') return
  const found = known.find(({ name }) => name === table.name)
  for (const { id } of bookingParts)
    if (id !== 'status' && id !== 'local' && table.columns[id] === null)
      report(`table.columns.${id}`, 'is missing. Choose a column')
  if (found && (found.keyColumn === undefined || table.columns.slot !== found.keyColumn))
    report(
      'table.columns.slot',
      'must be the key column of the table, whose values are unique',
    )
}

function checkTable(
  choice: TableChoice,
  parts: StoredPart[],
  { known, report }: Checking,
) {
  if (choice.kind === 'none') return
  if (choice.kind === 'new') {
    if (toTableName(choice.name) === '') report('table.name', 'needs letters from A to Z')
    return
  }
  const table = findTable(choice.name, known, report)
  if (!table) return
  const used = new Set<string>()
  for (const { id, column } of parts) {
    const name = choice.columns[id]
    if (name === null || name === undefined) continue
    const found = Object.hasOwn(table.columns, name) ? table.columns[name]! : null
    if (!found) report(`table.columns.${id}`, 'is not a column of the table')
    else if (!canStore({ column }, found))
      report(
        `table.columns.${id}`,
        'has another type. Choose a column of texts, or a new one',
      )
    if (used.has(name))
      report(`table.columns.${id}`, 'is already used for another answer')
    used.add(name)
  }
  const added = parts.filter(({ id }) => choice.columns[id] === undefined).length
  if (Object.keys(table.columns).length + added > maxColumns)
    report('table.name', `would have more than ${maxColumns} columns`)
}

function findTable(
  name: string,
  known: KnownTable[],
  report: Report,
): KnownTable | undefined {
  const found = known.find((table) => table.name === name)
  if (!found) report('table.name', 'is not a table of the bot')
  else if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name))
    report(
      'table.name',
      'has other characters than letters, digits and "_", which flows need',
    )
  else return found
  return undefined
}

function checkOrder(answers: OrderAnswers, { known, report }: Checking) {
  const { table, numberColumn, checkColumn, sentence } = answers
  if (table.kind === 'none')
    return report('table', 'is missing. Choose the table with the orders')
  if (table.kind === 'new') {
    if (toTableName(table.name) === '') report('table.name', 'needs letters from A to Z')
  } else {
    const found = findTable(table.name, known, report)
    if (!found) return
    const fault = (name: string) =>
      !Object.hasOwn(found.columns, name) || !isComparable(found.columns[name]!)
        ? 'must be a column of texts or numbers'
        : null
    report('numberColumn', fault(numberColumn))
    if (checkColumn !== '') report('checkColumn', fault(checkColumn))
  }
  if (checkColumn !== '' && checkColumn === numberColumn)
    report('checkColumn', 'is the column with the number. Choose another one')
  report('sentence', textFault(sentence, 1000) ?? columnFault(sentence, answers, known))
}

const isComparable = ({ type, format }: { type: string; format?: string | undefined }) =>
  type === 'number' || (type === 'string' && format === undefined)

function columnFault(
  sentence: string,
  answers: OrderAnswers,
  known: KnownTable[],
): string | null {
  const columns = listOrderColumns(answers, known)
  const unknown = listSentenceColumns(sentence).find(
    (name) => !Object.hasOwn(columns, name),
  )
  if (unknown === undefined) return null
  return `names {${unknown}}, which is not a column. There are ${Object.keys(columns).join(', ')}`
}

function checkReach({ words, button, greetingText }: CommonAnswers, report: Report) {
  const all = button === '' ? words : [...words, button]
  if (all.length > 20) report('words', 'has more than 20 entries. Remove some')
  const long = words.find((word) => word.length > 60)
  if (long !== undefined)
    report('words', 'has an entry of more than 60 characters. Shorten it')
  if (all.every((word) => toPhrase(word) === ''))
    report('words', 'is empty. Enter words with which the dialogue begins, or a button')
  if (button === '') return
  report('button', button.length > 60 ? 'has more than 60 characters. Shorten it' : null)
  if (toPhrase(button) === '') report('button', 'needs letters or digits')
  report('greetingText', textFault(greetingText, 500))
}
