// Replaces what the rules of a bot and of the installation name, in texts and in values of JSON.
// Keys, numbers and other types stay. Patterns of people run on RE2, in linear time.
import { createRequire } from 'node:module'
import {
  ApiError,
  type RedactionKind,
  type RedactionMatch,
  type RedactionPlace,
  type RedactionRule,
} from '@botstead/contract'
import {
  type Finder,
  type Found,
  findCards,
  findEmails,
  findIbans,
  findPhones,
} from './redaction-finders.ts'

const known: Record<Exclude<RedactionKind, 'custom'>, { find: Finder; replacement: string }> = {
  email: { find: findEmails, replacement: '[e-mail]' },
  phone: { find: findPhones, replacement: '[phone]' },
  card: { find: findCards, replacement: '[card]' },
  iban: { find: findIbans, replacement: '[iban]' },
}

interface ReadyRule {
  kind: RedactionKind
  find: Finder
  replacement: string
}

/** Replaces matches in one place. */
export interface Redactor {
  text(text: string): string
  /** Returns the same object if nothing matches. */
  value<Value>(value: Value): Value
}

/** The redactors of a bot; null where no rule applies. */
export type Redactors = Record<RedactionPlace, Redactor | null>

/** Returns the redactors of a bot, from a cache. */
export type RedactorsOf = (botId: string) => Promise<Redactors>

/** Redacts a message of a person. Answers, which the bot composes, stay as they are. */
export async function redactMessage<
  Message extends { botId: string; direction: string; payload: Record<string, unknown> },
>(redactorsOf: RedactorsOf, message: Message): Promise<Message> {
  const { storage } = message.direction === 'incoming' ? await redactorsOf(message.botId) : none
  if (!storage) return message
  const payload = storage.value(message.payload)
  return payload === message.payload ? message : { ...message, payload }
}

/** Redacts fields for the storage. */
export async function redactStored<Value>(
  redactorsOf: RedactorsOf,
  botId: string,
  value: Value,
): Promise<Value> {
  return (await redactorsOf(botId)).storage?.value(value) ?? value
}

const none: Redactors = { storage: null, logs: null, models: null }

export function toRedactors(rules: RedactionRule[]): Redactors {
  const ready = rules.map((rule) => ({ ...toReady(rule), where: rule.where }))
  const at = (place: RedactionPlace) => {
    const used = ready.filter(({ where }) => where.includes(place))
    return used.length === 0 ? null : toRedactor(used)
  }
  return { storage: at('storage'), logs: at('logs'), models: at('models') }
}

/** Throws InvalidPayload for a rule that cannot work. */
export function checkRules(rules: RedactionRule[]): void {
  const ready = rules.map((rule, index) => {
    const path = `rules[${index}]`
    if ((rule.kind === 'custom') !== (rule.pattern !== undefined))
      throw invalid(`\`${path}.pattern\` is required for the kind "custom", and only there`)
    return toReady(rule, `${path}.pattern`)
  })
  for (const [index, { replacement }] of ready.entries())
    if (findAll(ready, replacement).length > 0)
      throw invalid(
        `\`rules[${index}].replacement\` "${replacement}" matches a pattern: choose another text`,
      )
}

export function tryRules(rules: RedactionRule[], text: string) {
  const matches = findAll(
    rules.map((rule) => toReady(rule)),
    text,
  )
  return {
    text: replaceAll(matches, text),
    matches: matches.map(
      ({ kind, start, end }): RedactionMatch => ({
        ...{ kind, text: text.slice(start, end), offset: start },
      }),
    ),
  }
}

const invalid = (message: string) => new ApiError('InvalidPayload', message)

function toReady({ kind, pattern, replacement }: RedactionRule, path = 'pattern'): ReadyRule {
  if (kind !== 'custom')
    return { kind, ...known[kind], ...(replacement !== undefined && { replacement }) }
  return { kind, find: finderOf(pattern ?? '', path), replacement: replacement ?? '[redacted]' }
}

let loaded: typeof import('re2js') | undefined
/** Loads RE2 on first use, not at every start. */
const automata = () =>
  (loaded ??= createRequire(import.meta.url)('re2js') as typeof import('re2js'))

function finderOf(pattern: string, path: string): Finder {
  const { RE2JS, RE2JSException } = automata()
  try {
    const automaton = RE2JS.compile(RE2JS.translateRegExp(pattern))
    if (automaton.matcher('').find())
      throw invalid(`\`${path}\` "${pattern}" matches the empty text: require a character`)
    return (text) => {
      const found = []
      for (const matcher = automaton.matcher(text); matcher.find(); )
        if (matcher.end() > matcher.start())
          found.push({ start: matcher.start(), end: matcher.end() })
      return found
    }
  } catch (error) {
    if (error instanceof RE2JSException)
      throw invalid(`\`${path}\` "${pattern}" is not a valid pattern: ${error.message}`)
    throw error
  }
}

type Match = ReadyRule & { start: number; end: number }

/** Of overlapping matches, that of the earlier rule counts. */
function findAll(rules: ReadyRule[], text: string): Match[] {
  let matches: Match[] = []
  for (const rule of rules) {
    const found = rule.find(text)
    if (found.length > 0) matches = merge(matches, rule, found)
  }
  return matches
}

/** Both are in the order of their starts. */
function merge(earlier: Match[], rule: ReadyRule, found: Found[]): Match[] {
  const merged: Match[] = []
  let next = 0
  for (const { start, end } of found) {
    while (next < earlier.length && earlier[next]!.end <= start) merged.push(earlier[next++]!)
    const isFree = !(next < earlier.length && earlier[next]!.start < end)
    if (isFree && (merged.at(-1)?.end ?? 0) <= start) merged.push({ ...rule, start, end })
  }
  return [...merged, ...earlier.slice(next)]
}

function replaceAll(matches: Match[], text: string): string {
  let at = 0
  let replaced = ''
  for (const { start, end, replacement } of matches) {
    replaced += text.slice(at, start) + replacement
    at = end
  }
  return matches.length === 0 ? text : replaced + text.slice(at)
}

/** Of JSON in texts of JSON. */
const maxNesting = 5

function toRedactor(rules: ReadyRule[]): Redactor {
  const redact = (text: string) => replaceAll(findAll(rules, text), text)
  const text = (one: string, nesting: number): string =>
    (nesting < maxNesting && isJson(one) && insideJson(one, nesting)) || redact(one)
  const insideJson = (one: string, nesting: number): string | null => {
    const parsed = parse(one)
    if (parsed === undefined) return null
    const redacted = value(parsed, nesting + 1)
    return redacted === parsed ? one : JSON.stringify(redacted)
  }
  const value = <Value>(one: Value, nesting: number): Value => {
    if (typeof one === 'string') return text(one, nesting) as Value
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) return one
    let hasChanged = false
    const inside = (part: unknown) => {
      const redacted = value(part, nesting)
      hasChanged ||= redacted !== part
      return redacted
    }
    // Own properties, as defined: a key may be `__proto__`.
    const copy = Array.isArray(one)
      ? one.map(inside)
      : Object.fromEntries(Object.entries(one).map(([key, part]) => [key, inside(part)]))
    return hasChanged ? (copy as Value) : one
  }
  return { text: (one) => text(one, 0), value: (one) => value(one, 0) }
}

const isJson = (text: string) => /^\s*[[{]/.test(text)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
