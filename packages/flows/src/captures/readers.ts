// Reads the answers of each kind of capture.
import { RE2JS } from 're2js'
import type { CaptureCard } from '../document/card-shapes.ts'
import type { BotEvent } from '../engine/event-types.ts'
import { emailIn, urlIn } from './addresses.ts'
import { choiceIn, choicesIn, type Option } from './choices.ts'
import { booleanIn, confirmationIn } from './confirmations.ts'
import { toDateLabel } from './dates/date-label.ts'
import { dateWithin } from './dates/date-limits.ts'
import { type Ambiguous, type Conventions, chooseWithin, findRegion } from './locales.ts'
import { numberIn } from './numbers/numbers.ts'
import { phoneIn } from './phones.ts'
import { sentences, whichReading } from './sentences.ts'
import { timeChoiceIn } from './time-choices.ts'

type AnswerKind = CaptureCard['kind']

/** The card with evaluated expressions. */
export interface ExpectedAnswer extends Conventions {
  kind: AnswerKind
  now: Date
  options: Option[]
  pattern?: string | undefined
  min?: number | string | undefined
  max?: number | string | undefined
}

/**
 * `unfit`: why the answer is unsuitable, as a message to the user. `wasFound`: it has a value of the
 * kind, which is outside of the limits or has several readings. `readings`: these, to choose from.
 */
export type ReadResult =
  | { value: unknown }
  | { unfit: string; wasFound?: true; readings?: Option[] }

/** Returns the text of a text message, and of a voice note that a model has transcribed; else empty. */
export function textIn({ type, payload }: Pick<BotEvent, 'type' | 'payload'>): string {
  const text = type === 'audio' ? payload.transcript : type === 'text' && payload.text
  return typeof text === 'string' ? text : ''
}

export function readAnswer(
  { type, payload, preview }: BotEvent,
  wanted: ExpectedAnswer,
): ReadResult {
  if (wanted.kind === 'file') return fileIn(type, payload)
  if (wanted.kind === 'raw') return { value: preview }
  const text = textIn({ type, payload }).trim()
  if (text === '') return { unfit: sentences[wanted.kind] }
  const chosen = readButton(payload, wanted)
  return chosen === undefined
    ? readers[wanted.kind](text, wanted)
    : readExtracted(chosen, wanted)
}

/** Returns the value of a button that offered one of several readings. */
function readButton({ value }: BotEvent['payload'], { kind }: ExpectedAnswer) {
  if (typeof value !== 'string') return undefined
  if (kind === 'date' && isoDate.test(value)) return value
  // Not as a text: 1.234 has two readings again.
  return kind === 'number' && String(Number(value)) === value ? Number(value) : undefined
}

const isoDate = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/

/** Reads a value that a model extracted. */
export function readExtracted(value: unknown, wanted: ExpectedAnswer): ReadResult {
  const { kind, options } = wanted
  const isList = Array.isArray(value)
  if (kind === 'raw' || kind === 'file' || (isList && kind !== 'multipleChoice'))
    return { unfit: sentences[kind] }
  if (kind === 'number' && typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? { unfit: sentences[kind] }
      : within(value, value, wanted, '')
  if (isList) {
    const found = value.map((one) => choiceIn(String(one), options)?.value)
    return found.length === 0 || found.includes(undefined)
      ? { unfit: sentences[kind] }
      : within([...new Set(found)], new Set(found).size, wanted, 'choices')
  }
  const text = String(value).trim()
  return text === '' ? { unfit: sentences[kind] } : readers[kind](text, wanted)
}

type Reader = (text: string, wanted: ExpectedAnswer) => ReadResult

/** Asks for one of the readings of an ambiguous text. */
function valueOr(kind: AnswerKind, value: unknown, toLabel = asWritten): ReadResult {
  if (value === undefined) return { unfit: sentences[kind] }
  if (!isAmbiguous(value)) return { value }
  const readings = value.readings.map((reading) => ({
    label: toLabel(reading),
    value: reading,
  }))
  return { ...tooFar(whichReading), readings }
}

const asWritten = (reading: string) => reading

const isAmbiguous = (value: unknown): value is Ambiguous =>
  typeof value === 'object' && value !== null && 'readings' in value

const readers: Record<Exclude<AnswerKind, 'file' | 'raw'>, Reader> = {
  text: (text, wanted) => within(text, [...text].length, wanted, 'characters'),
  number: (text, wanted) => {
    const found = numberIn(text, wanted)
    const value = isAmbiguous(found) ? chooseNumber(found, wanted) : found
    return typeof value === 'number'
      ? within(value, value, wanted, '')
      : valueOr('number', value)
  },
  boolean: (text) => valueOr('boolean', booleanIn(text)),
  confirmation: (text) => valueOr('confirmation', confirmationIn(text)),
  email: (text) => valueOr('email', emailIn(text)),
  phone: (text, { locale }) => valueOr('phone', phoneIn(text, findRegion(locale))),
  url: (text) => valueOr('url', urlIn(text)),
  date: (text, wanted) => {
    const { value, problem } = dateWithin(text, wanted)
    const toLabel = (reading: string) => toDateLabel(reading, wanted)
    return problem === undefined ? valueOr('date', value, toLabel) : tooFar(problem)
  },
  singleChoice: (text, { options, locale }) => {
    const byTime = timeChoiceIn(text, options, locale)
    const found = byTime === undefined ? choiceIn(text, options, locale) : byTime
    return valueOr('singleChoice', found?.value)
  },
  multipleChoice: (text, wanted) => {
    const values = choicesIn(text, wanted.options, wanted.locale)?.map(
      ({ value }) => value,
    )
    return values
      ? within(values, values.length, wanted, 'choices')
      : valueOr('multipleChoice', undefined)
  },
  // RE2: the time is linear in pattern and text, although users write the text.
  regex: (text, { pattern = '' }) => valueOr('regex', findMatch(text, pattern)),
}

function chooseNumber(ambiguous: Ambiguous, wanted: ExpectedAnswer): number | Ambiguous {
  const isWithin = (reading: string) =>
    'value' in within(reading, Number(reading), wanted, '')
  const chosen = chooseWithin(ambiguous, isWithin)
  return typeof chosen === 'string' ? Number(chosen) : chosen
}

function within(
  value: unknown,
  size: number,
  { min, max }: ExpectedAnswer,
  unit: string,
): ReadResult {
  const what = unit && ` ${unit}`
  if (min !== undefined && size < Number(min))
    return tooFar(
      `That is too ${unit ? 'few' : 'small'}. Please give at least ${min}${what}.`,
    )
  if (max !== undefined && size > Number(max))
    return tooFar(
      `That is too ${unit ? 'many' : 'large'}. Please give at most ${max}${what}.`,
    )
  return { value }
}

const tooFar = (unfit: string) => ({ unfit, wasFound: true as const })

/** Returns the first group of the match, or the whole match. */
function findMatch(text: string, pattern: string): string | undefined {
  try {
    const matcher = RE2JS.compile(pattern).matcher(text.slice(0, 10_000))
    if (!matcher.find()) return undefined
    return (
      (matcher.groupCount() ? matcher.group(1) : null) ?? matcher.group() ?? undefined
    )
  } catch {
    // Invalid: checkDocument has reported patterns in documents.
    return undefined
  }
}

const fileFields: Record<string, string> = {
  file: 'fileUrl',
  image: 'imageUrl',
  audio: 'audioUrl',
  video: 'videoUrl',
  voice: 'audioUrl',
}

function fileIn(type: string, payload: Record<string, unknown>): ReadResult {
  if (type === 'bloc' && Array.isArray(payload.items)) {
    const found = payload.items
      .map((item) => fileIn(item?.type, item?.payload ?? item ?? {}))
      .find((one) => 'value' in one)
    if (found) return found
  }
  const url = Object.hasOwn(fileFields, type) ? payload[fileFields[type]!] : undefined
  if (typeof url !== 'string') return { unfit: sentences.file }
  return {
    value: {
      type,
      url,
      ...(typeof payload.title === 'string' && { title: payload.title }),
    },
  }
}
