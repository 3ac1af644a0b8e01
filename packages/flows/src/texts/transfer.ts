// Exports of texts for translators, and the comparison of a file that comes back. Runs in browsers.
import { type BotText, listTexts, readLanguages } from './catalogue.ts'
import { readCsv, TextFileError, writeCsv } from './csv-file.ts'
import { type LanguageTexts, openLanguage, openLanguages } from './languages.ts'
import type { TextChange } from './text-edits.ts'
import { readXliff, writeXliff } from './xliff.ts'

/** A text of a file, before it is compared with the document. */
interface FileText {
  key: string
  language: string
  text: string
  /** The original as the file has it. */
  original: string
}

export interface ImportPlan {
  changes: (TextChange & { before: string | null; place: string })[]
  /** Texts that the bot does not have, or no longer. */
  unknown: FileText[]
  /** Changes whose original is another one now; they are marked as out of date. */
  outdated: string[]
  /** Changes that read other variables than the original: a warning. */
  variables: string[]
  same: number
}

export const toPlace = ({ flow, node }: BotText): string =>
  flow === undefined ? '' : `${flow} · ${node}`

const keyColumn = 'Key'
const placeColumn = 'Place'
const originalMark = ' (original)'

/** Returns a file with all languages. */
export function exportCsv(document: unknown): string {
  const { original = '', translations } = readLanguages(document)
  const opened = openLanguages({ default: original, translations })
  const others = [...opened.keys()].filter((language) => language !== original)
  const rows = listTexts(document).map((text) => [
    text.key,
    toPlace(text),
    text.text,
    ...others.map((language) => opened.get(language)!.find(text).text ?? ''),
  ])
  return writeCsv([
    [keyColumn, placeColumn, `${original}${originalMark}`, ...others],
    ...rows,
  ])
}

export function exportXliff(document: unknown, language: string): string {
  const { original: source = '', translations } = readLanguages(document)
  const opened = openLanguage(language, translations[language])
  const units = listTexts(document).map((text) => {
    const { state, text: target } = opened.find(text)
    return {
      id: text.key,
      source: text.text,
      target: target ?? '',
      state,
      note: toPlace(text),
    }
  })
  return writeXliff({ source, target: language, units })
}

/** Reads a file of either format. Throws TextFileError. */
export function readTextFile(file: string): FileText[] {
  if (file.includes('\ufffd') || file.includes('\0'))
    throw new TextFileError(
      'The file is not in UTF-8. Save it as “CSV UTF-8”, or as XLIFF',
    )
  return /^\ufeff?\s*</.test(file) ? fromXliff(file) : fromCsv(file)
}

function fromXliff(file: string): FileText[] {
  const { target, units } = readXliff(file)
  return units.map(({ id, source, target: text }) => ({
    key: id,
    language: target,
    text,
    original: source,
  }))
}

function fromCsv(file: string): FileText[] {
  const [header = [], ...rows] = readCsv(file)
  const [name, , originals] = header
  if (name !== keyColumn || !originals?.endsWith(originalMark))
    throw new TextFileError(
      'The first row must have the columns “Key”, “Place” and the original. Change an exported file',
    )
  return rows.flatMap((cells) =>
    header.slice(3).map((language, index) => ({
      key: cells[0] ?? '',
      language: language.trim(),
      text: cells[index + 3] ?? '',
      original: cells[2] ?? '',
    })),
  )
}

/** Returns what an import would change. Blank texts of the file change nothing. */
export function planImport(document: unknown, file: FileText[]): ImportPlan {
  const { translations } = readLanguages(document)
  const texts = new Map(listTexts(document).map((text) => [text.key, text]))
  const opened = new Map<string, LanguageTexts>()
  for (const language of Object.keys(translations))
    opened.set(language, openLanguage(language, translations[language]))
  const plan: ImportPlan = {
    changes: [],
    unknown: [],
    outdated: [],
    variables: [],
    same: 0,
  }
  for (const entry of file) {
    if (entry.text.trim() === '') continue
    const [text, language] = [texts.get(entry.key), opened.get(entry.language)]
    // At the place of a card without a key, there may be another card now.
    const isOther =
      isPlace(entry.key) && text?.text !== sameLines(entry.original, text?.text ?? '')
    if (text && language && !isOther) compare(plan, entry, text, language)
    else plan.unknown.push(entry)
  }
  return plan
}

function compare(
  plan: ImportPlan,
  entry: FileText,
  text: BotText,
  language: LanguageTexts,
) {
  const original = sameLines(entry.original, text.text)
  const translation = sameLines(entry.text, text.text)
  const now = language.find(text)
  const isOutdated = original !== text.text
  // One that is to be checked stays so: the file does not tell whether it was checked.
  if (now.text === translation) {
    plan.same++
    return
  }
  const change = { key: entry.key, language: entry.language, text: translation, original }
  plan.changes.push({ ...change, before: now.text, place: toPlace(text) })
  if (isOutdated) plan.outdated.push(entry.key)
  if (listVariables(translation) !== listVariables(text.text))
    plan.variables.push(entry.key)
}

const isPlace = (key: string) => /^[^/]*\./.test(key)

/** Spreadsheets change the ends of lines. */
const sameLines = (text: string, like: string) =>
  like.includes('\r') ? text : text.replaceAll('\r\n', '\n')

/** Without the parser of the engine: a hint before the import; the check afterwards is exact. */
const listVariables = (text: string) =>
  [
    ...new Set(
      [...text.matchAll(/\{\{\s*([\s\S]*?)\s*\}\}|@[\w.]+/g)].map(
        ([all, name]) => name ?? all,
      ),
    ),
  ]
    .sort()
    .join('\n')
