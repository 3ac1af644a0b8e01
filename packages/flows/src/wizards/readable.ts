// Expressions of days, times and numbers as people read them: in the language of the answer.
import type { DialogueBuilder } from './builder.ts'

/** Returns the expression of the language in which the bot answers; `language` is that of the dialogue. */
export const toAnswerLanguage = (language: string): string =>
  `language ?? ${JSON.stringify(language)}`

/** Returns the expression of a number or null. It may be a year or a code, so digits are not grouped. */
export const toReadableNumber = (value: string, language: string): string =>
  `${value}?.toLocaleString(${toAnswerLanguage(language)}, ` +
  '{ useGrouping: false, maximumFractionDigits: 20 }) ?? "–"'

/** Returns the expression of a day, of a time in ISO 8601, or of null. */
export function toReadableDate(
  value: string,
  { timezone, language }: DialogueBuilder,
): string {
  const format = `luxon.DateTime[${value}.includes("T") ? "DATETIME_MED" : "DATE_FULL"]`
  const date = `luxon.DateTime.fromISO(${value}, { zone: ${JSON.stringify(timezone)} })`
  return `${value} ? ${date}.setLocale(${toAnswerLanguage(language)}).toLocaleString(${format}) : "–"`
}
