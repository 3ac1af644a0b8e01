// The fields of the form of a curated answer, as people type them.
import type { AnswerButton, CuratedAnswer } from '@botstead/contract'

export interface AnswerFields {
  /** One per line. */
  questions: string
  text: string
  /** One per line: `label` or `label = message`. */
  buttons: string
  imageUrl: string
  language: string
  knowledgeBaseId: string
  /** Days, such as 2026-12-24, in the time zone of the browser. */
  validFrom: string
  validTo: string
}

export const toFields = (
  answer: CuratedAnswer | null,
  { questions, text }: { questions: string[]; text: string },
): AnswerFields => ({
  questions: (answer?.questions ?? questions).join('\n'),
  text: answer?.text ?? text,
  buttons: (answer?.buttons ?? []).map(toLine).join('\n'),
  imageUrl: answer?.imageUrl ?? '',
  language: answer?.language ?? '',
  knowledgeBaseId: answer?.knowledgeBaseId ?? '',
  validFrom: answer?.validFrom ? toDay(new Date(answer.validFrom)) : '',
  validTo: answer?.validTo ? toDay(new Date(Date.parse(answer.validTo) - 1)) : '',
})

export const toQuestions = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const toBody = (fields: AnswerFields) => ({
  questions: toQuestions(fields.questions),
  text: fields.text.trim(),
  buttons: toQuestions(fields.buttons).map(toButton),
  imageUrl: fields.imageUrl.trim() || null,
  language: fields.language.trim() || null,
  knowledgeBaseId: fields.knowledgeBaseId || null,
  validFrom: fields.validFrom ? dayAfter(fields.validFrom, 0) : null,
  validTo: fields.validTo ? dayAfter(fields.validTo, 1) : null,
})

export const isValidPeriod = ({ validFrom, validTo }: AnswerFields) =>
  validFrom === '' || validTo === '' || validFrom <= validTo

const separator = ' = '

const toLine = ({ label, value }: AnswerButton) =>
  value === undefined ? label : `${label}${separator}${value}`

function toButton(line: string): AnswerButton {
  const at = line.indexOf(separator)
  const value = at < 0 ? '' : line.slice(at + separator.length).trim()
  return value === '' ? { label: line } : { label: line.slice(0, at).trim(), value }
}

/** The beginning of a day of the browser's time zone, as a time of the API. */
function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + days)
  return date.toISOString()
}

const toDay = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
