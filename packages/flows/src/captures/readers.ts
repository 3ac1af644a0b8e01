// Reads the answers of each kind of capture.
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { RE2JS } from 're2js'
import type { CaptureCard } from '../card-shapes.ts'
import type { BotEvent } from '../event.ts'
import { choiceIn, choicesIn, type Option } from './choices.ts'
import { type DateContext, dateIn } from './dates.ts'
import { numberIn } from './numbers.ts'
import { booleanIn, confirmationIn } from './words.ts'

type AnswerKind = CaptureCard['kind']

/** The card with evaluated expressions. */
export interface ExpectedAnswer extends DateContext {
  kind: AnswerKind
  options: Option[]
  pattern?: string | undefined
  min?: number | string | undefined
  max?: number | string | undefined
}

/**
 * `unfit`: why the answer is unsuitable, as a message to the user. `wasFound`: it has a value of the
 * kind, which is outside of the limits.
 */
export type ReadResult = { value: unknown } | { unfit: string; wasFound?: true }

export function readAnswer(
  { type, payload, preview }: BotEvent,
  wanted: ExpectedAnswer,
): ReadResult {
  if (wanted.kind === 'file') return fileIn(type, payload)
  if (wanted.kind === 'raw') return { value: preview }
  const text = type === 'text' && typeof payload.text === 'string' ? payload.text.trim() : ''
  return text === '' ? { unfit: sentences[wanted.kind] } : readers[wanted.kind](text, wanted)
}

/** Reads a value that a model extracted. */
export function readExtracted(value: unknown, wanted: ExpectedAnswer): ReadResult {
  const { kind, options } = wanted
  const isList = Array.isArray(value)
  if (kind === 'raw' || kind === 'file' || (isList && kind !== 'multipleChoice'))
    return { unfit: sentences[kind] }
  if (kind === 'number' && typeof value === 'number') return within(value, value, wanted, '')
  if (isList) {
    const found = value.map((one) => choiceIn(String(one), options)?.value)
    return found.length === 0 || found.includes(undefined)
      ? { unfit: sentences[kind] }
      : within([...new Set(found)], new Set(found).size, wanted, 'choices')
  }
  const text = String(value).trim()
  return text === '' ? { unfit: sentences[kind] } : readers[kind](text, wanted)
}

export const sentences: Record<AnswerKind, string> = {
  raw: 'Please say that again.',
  text: 'Please answer in words.',
  number: 'That is not a number. Please write one number.',
  boolean: 'Please answer with yes or no.',
  confirmation: 'Please answer with yes or no.',
  email: 'That is not an e-mail address.',
  phone:
    'That is not a phone number. Please write it with the country code, like +41 44 123 45 67.',
  url: 'That is not a web address.',
  date: 'That is not a date. Please write it like 2026-03-24.',
  singleChoice: 'Please choose one of the options.',
  multipleChoice: 'Please choose from the options. Separate several with commas.',
  regex: 'That does not have the expected format.',
  file: 'Please send a file.',
}

type Reader = (text: string, wanted: ExpectedAnswer) => ReadResult

const valueOr = (kind: AnswerKind, value: unknown): ReadResult =>
  value === undefined ? { unfit: sentences[kind] } : { value }

const readers: Record<Exclude<AnswerKind, 'file' | 'raw'>, Reader> = {
  text: (text, wanted) => within(text, [...text].length, wanted, 'characters'),
  number: (text, wanted) => {
    const value = numberIn(text)
    return value === undefined ? valueOr('number', value) : within(value, value, wanted, '')
  },
  boolean: (text) => valueOr('boolean', booleanIn(text)),
  confirmation: (text) => valueOr('confirmation', confirmationIn(text)),
  email: (text) => valueOr('email', emailIn(text)),
  phone: (text) => valueOr('phone', phoneIn(text)),
  url: (text) => valueOr('url', urlIn(text)),
  date: (text, wanted) => dateWithin(text, wanted),
  singleChoice: (text, { options }) => valueOr('singleChoice', choiceIn(text, options)?.value),
  multipleChoice: (text, wanted) => {
    const values = choicesIn(text, wanted.options)?.map(({ value }) => value)
    return values
      ? within(values, values.length, wanted, 'choices')
      : valueOr('multipleChoice', undefined)
  },
  // RE2: the time is linear in pattern and text, although users write the text.
  regex: (text, { pattern = '' }) => valueOr('regex', matchOf(text, pattern)),
}

function within(
  value: unknown,
  size: number,
  { min, max }: ExpectedAnswer,
  unit: string,
): ReadResult {
  const what = unit && ` ${unit}`
  if (min !== undefined && size < Number(min))
    return tooFar(`That is too ${unit ? 'few' : 'small'}. Please give at least ${min}${what}.`)
  if (max !== undefined && size > Number(max))
    return tooFar(`That is too ${unit ? 'many' : 'large'}. Please give at most ${max}${what}.`)
  return { value }
}

const tooFar = (unfit: string): ReadResult => ({ unfit, wasFound: true })

function dateWithin(text: string, { min, max, ...context }: ExpectedAnswer): ReadResult {
  const value = dateIn(text, context)
  const bound = (limit: number | string | undefined) =>
    limit === undefined ? undefined : dateIn(String(limit), context)
  const [earliest, latest] = [bound(min), bound(max)]
  if (value === undefined) return valueOr('date', value)
  // A limit without a time compares days only.
  if (earliest !== undefined && value < earliest)
    return tooFar(`Please choose ${earliest} or a later date.`)
  if (latest !== undefined && value.slice(0, latest.length) > latest)
    return tooFar(`Please choose ${latest} or an earlier date.`)
  return { value }
}

/** Returns the only word with "@" if it is an address. */
function emailIn(text: string): string | undefined {
  const found = words(text).filter((word) => word.includes('@'))
  const address = found.length === 1 ? found[0]!.replace(/^mailto:/i, '') : ''
  return address.length <= 254 &&
    /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u.test(
      address,
    )
    ? address
    : undefined
}

/** Splits a text into words without surrounding punctuation. */
const words = (text: string) =>
  text
    .slice(0, 2_000)
    .split(/\s+/)
    .map((word) => word.replace(/^[<("'[]+/, '').replace(/[>)"'\],.;:!?]+$/, ''))

/**
 * Returns a number with "+" or "00" in the form of E.164, if its country has numbers of that
 * length. Returns the digits of any other number, because its country is unknown.
 */
function phoneIn(text: string): string | undefined {
  const found = /(?<![\p{L}\d])(?:\+|00)?\(?\d[\d\s().\-/]{4,30}\d(?![\p{L}\d])/u.exec(
    text.slice(0, 500),
  )?.[0]
  const digits = found?.replace(/\(0\)/, '').replace(/\D/g, '') ?? ''
  if (digits.length < 7 || digits.length > 17) return undefined
  const isInternational = found!.startsWith('+') || digits.startsWith('00')
  if (!isInternational) return digits.length <= 15 ? digits : undefined
  const number = parsePhoneNumberFromString(`+${digits.replace(/^00/, '')}`)
  return number?.isPossible() ? number.number : undefined
}

/** Returns the only HTTP or HTTPS address. Addresses with credentials are rejected. */
function urlIn(text: string): string | undefined {
  const found = words(text).filter(
    (word) =>
      /^https?:\/\//i.test(word) ||
      /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?:[/?#:]|$)/u.test(word),
  )
  const [word] = found
  if (found.length !== 1 || !word) return undefined
  const address = /^https?:/i.test(word) ? word : `https://${word}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return url.hostname && !url.username && !url.password ? url.href : undefined
}

/** Returns the first group of the match, or the whole match. */
function matchOf(text: string, pattern: string): string | undefined {
  try {
    const matcher = RE2JS.compile(pattern).matcher(text.slice(0, 10_000))
    if (!matcher.find()) return undefined
    return (matcher.groupCount() ? matcher.group(1) : null) ?? matcher.group() ?? undefined
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
    value: { type, url, ...(typeof payload.title === 'string' && { title: payload.title }) },
  }
}
