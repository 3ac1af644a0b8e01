// The part of templates that needs no realm: paths with defaults, such as `{{ user.tags.name ?? "friend" }}`
// and `@user.tags.name`. Evaluates without running code of the author, so a server may fill texts of tenants.
// Plain templates give the values that `fill` (template.ts) gives; plain-template.test.ts compares both.
import { unquote } from './unquoted.ts'

type Path = { path: string[] }
type Term = Path | { literal: string | number | boolean | null }
/** The first term that has a value; `or`: that is not empty either. */
interface Choice {
  source: string
  first: Term
  rest: { or: boolean; term: Term }[]
}
type Part = string | Choice

/** A JSON value with its texts split into parts. */
export type PlainTemplate =
  | { parts: Part[] }
  | { items: PlainTemplate[] }
  | { fields: [string, PlainTemplate][] }
  | { value: unknown }

/** The text at `path` of the template is not plain. */
export class PlainTemplateError extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** An expression has no value, and no default. */
interface MissingValue {
  missing: string
}

/** Reads the JSON in linear time. Throws PlainTemplateError. */
export function readPlainTemplate(json: unknown, path = ''): PlainTemplate {
  if (typeof json === 'string') return { parts: readText(json, path) }
  if (Array.isArray(json))
    return {
      items: json.map((item, index) => readPlainTemplate(item, `${path}[${index}]`)),
    }
  if (typeof json !== 'object' || json === null) return { value: json }
  const fields = Object.entries(json).map(([name, value]): [string, PlainTemplate] => [
    name,
    readPlainTemplate(value, path === '' ? name : `${path}.${name}`),
  ])
  return { fields }
}

/** Returns the paths that the template reads. */
export function listPaths(template: PlainTemplate): string[][] {
  if ('items' in template) return template.items.flatMap(listPaths)
  if ('fields' in template)
    return template.fields.flatMap(([, value]) => listPaths(value))
  if (!('parts' in template)) return []
  return template.parts.flatMap((part) =>
    typeof part === 'string'
      ? []
      : [part.first, ...part.rest.map(({ term }) => term)].flatMap((term) =>
          'path' in term ? [term.path] : [],
        ),
  )
}

/**
 * Returns the JSON with the values in place of the expressions, or the first expression without one. A text
 * that is exactly one expression becomes its value, of any type. Null if it has more than `maxLength`
 * characters.
 */
export function fillPlainTemplate(
  template: PlainTemplate,
  scopes: Record<string, unknown>,
  maxLength: number,
): { value: unknown } | MissingValue | null {
  const filling = new Filling(scopes, maxLength)
  try {
    return { value: filling.fill(template) }
  } catch (error) {
    if (error instanceof NoValue) return { missing: error.message }
    if (error instanceof TooLong) return null
    throw error
  }
}

class NoValue extends Error {}
class TooLong extends Error {}

class Filling {
  readonly #scopes: Record<string, unknown>
  #left: number

  constructor(scopes: Record<string, unknown>, maxLength: number) {
    this.#scopes = scopes
    this.#left = maxLength
  }

  fill(template: PlainTemplate): unknown {
    if ('items' in template) return template.items.map((item) => this.fill(item))
    if ('fields' in template)
      return Object.fromEntries(
        template.fields.map(([name, value]) => {
          this.#count(name.length)
          return [name, this.fill(value)]
        }),
      )
    if (!('parts' in template)) return template.value
    const [only] = template.parts
    if (template.parts.length === 1 && typeof only === 'object') {
      const value = this.#choose(only)
      this.#count(shown(value).length)
      return value
    }
    return template.parts
      .map((part) => {
        const text = typeof part === 'string' ? part : shown(this.#choose(part))
        this.#count(text.length)
        return text
      })
      .join('')
  }

  #count(length: number) {
    this.#left -= length
    if (this.#left < 0) throw new TooLong()
  }

  #choose({ source, first, rest }: Choice): unknown {
    let value = this.#read(first)
    let isDefault = 'literal' in first
    for (const { or, term } of rest) {
      if (or ? value : value !== undefined && value !== null) continue
      value = this.#read(term)
      isDefault = 'literal' in term
    }
    if (value === undefined || value === null || (value === '' && !isDefault))
      throw new NoValue(source)
    return value
  }

  /** Reads own properties only: `constructor` and the like are no values. */
  #read(term: Term): unknown {
    if ('literal' in term) return term.literal
    let value: unknown = this.#scopes
    for (const name of term.path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
        return undefined
      value = (value as Record<string, unknown>)[name]
    }
    return value
  }
}

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

const shorthand =
  /(?<![\w.+-])@((user|conversation|row|workflow|bot|session|turn|env|event)(?:\.[A-Za-z_$][\w$]*)+)/g
const roots = ['user', 'conversation', 'row']

function readText(text: string, path: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (;;) {
    const open = text.indexOf('{{', from)
    const isClosed = open >= 0 && text.indexOf('}}', open) >= 0
    if (open > from && text[open - 1] === '\\') {
      parts.push(...readShorthand(text.slice(from, open - 1), path), '{{')
      from = open + 2
      continue
    }
    if (!isClosed)
      return [...parts, ...readShorthand(text.slice(from), path)].filter(
        (part) => part !== '',
      )
    const reader = new Reader(text, open + 2, path)
    const choice = reader.readChoice()
    parts.push(
      ...readShorthand(text.slice(from, open), path),
      ...(choice ? [choice] : []),
    )
    from = reader.end
  }
}

function readShorthand(text: string, place: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const { index, 0: match, 1: path, 2: root } of text.matchAll(shorthand)) {
    if (!roots.includes(root!)) throw notPlain(place, match)
    const first = { path: path!.split('.') }
    parts.push(text.slice(from, index), { source: match, first, rest: [] })
    from = index + match.length
  }
  return [...parts, text.slice(from)].filter((part) => part !== '')
}

const tokens =
  /\s+|\?\.|\?\?|\|\||\}\}|\.|\[|\]|[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y
const words = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Reads one expression up to its `}}`. */
class Reader {
  readonly #text: string
  readonly #from: number
  readonly #path: string
  #at: number
  #next: string

  constructor(text: string, from: number, path: string) {
    this.#text = text
    this.#from = from
    this.#path = path
    this.#at = from
    this.#next = this.#read()
  }

  /** Position after the expression, when it has been read. */
  get end(): number {
    return this.#at
  }

  readChoice(): Choice | null {
    if (this.#next === '}}') return null
    const first = this.#term()
    const rest: Choice['rest'] = []
    while (this.#next === '??' || this.#next === '||') {
      const or = this.#take() === '||'
      // As in JavaScript, which rejects a mixture without parentheses.
      if (rest.some((one) => one.or !== or)) this.#reject()
      rest.push({ or, term: this.#term() })
    }
    if (this.#next !== '}}') this.#reject()
    return { source: this.#text.slice(this.#from, this.#at - 2).trim(), first, rest }
  }

  #term(): Term {
    const token = this.#take()
    if (words.has(token)) return { literal: words.get(token)! }
    if (/^\d/.test(token)) return { literal: Number(token) }
    if (/^["']/.test(token)) return { literal: this.#unquoted(token) }
    if (!roots.includes(token)) this.#reject()
    const path = [token]
    for (;;) {
      if (this.#next === '.' || this.#next === '?.') {
        const isOptional = this.#take() === '?.'
        if (isOptional && this.#isAt('[')) continue
        const name = this.#take()
        if (!/^[A-Za-z_$]/.test(name)) this.#reject()
        path.push(name)
      } else if (this.#next === '[') {
        this.#take()
        const key = this.#take()
        if (!/^["'\d]/.test(key) || this.#take() !== ']') this.#reject()
        path.push(/^\d/.test(key) ? key : this.#unquoted(key))
      } else return { path }
    }
  }

  #isAt(token: string): boolean {
    return this.#next === token
  }

  #take(): string {
    const token = this.#next
    if (token === '}}') this.#reject()
    this.#next = this.#read()
    return token
  }

  #read(): string {
    for (;;) {
      tokens.lastIndex = this.#at
      const [token] = tokens.exec(this.#text) ?? []
      if (token === undefined) this.#reject()
      this.#at += token.length
      if (token.trim() !== '') return token
    }
  }

  #unquoted(token: string): string {
    return unquote(token) ?? this.#reject()
  }

  #reject(): never {
    const end = this.#text.indexOf('}}', this.#from)
    const source = this.#text.slice(this.#from, end < 0 ? this.#from + 100 : end).trim()
    throw notPlain(this.#path, source)
  }
}

function notPlain(path: string, source: string): PlainTemplateError {
  const quoted = source.length > 100 ? `${source.slice(0, 100)}…` : source
  return new PlainTemplateError(
    path,
    `"${quoted}" is not a path with defaults, such as {{ user.tags.name ?? "friend" }}; ` +
      'paths begin with user, conversation or row',
  )
}
