// Evaluates `{{ expression }}` in texts. Expressions are JavaScript over the globals of code;
// `@scope.name` is short for `{{ scope?.name }}`. Only the author's text is parsed: results are
// never evaluated again, as they may contain input of users.
import { Script } from 'node:vm'
import { CodeError, toErrorText } from './code-error.ts'
import { onceForText } from './once-for-text.ts'
import { runInRealm } from './realm.ts'
import { bridgeNames } from './realm-inside.ts'
import type { Surroundings } from './surroundings.ts'

/** Position of the texts for errors, and the timeout for all their expressions together. */
export interface Filling {
  file: string
  timeoutMs: number
}

type Part = string | { expression: string }

/**
 * Returns the JSON with all expressions evaluated. A text that is exactly one expression becomes
 * its value, of any type.
 */
export async function fill(
  json: unknown,
  surroundings: Surroundings,
  filling: Filling,
): Promise<unknown> {
  const expressions = new Set<string>()
  walk(json, (text) => {
    for (const part of splitIntoParts(text, filling.file))
      if (typeof part !== 'string') expressions.add(part.expression)
    return text
  })
  if (expressions.size === 0)
    return walk(json, (text) => asText(splitIntoParts(text, filling.file)))
  const values = await evaluateAll([...expressions], surroundings, filling)
  return walk(json, (text) => {
    const parts = splitIntoParts(text, filling.file)
    const [only] = parts
    if (parts.length === 1 && typeof only === 'object') return values.get(only.expression)
    return asText(parts, values)
  })
}

/** Evaluates a field that is one expression (`when`, `validate`), with or without `{{ }}`. */
export async function evaluate(
  text: string,
  surroundings: Surroundings,
  filling: Filling,
): Promise<unknown> {
  const expression = toExpression(text, filling.file)
  return (await evaluateAll([expression], surroundings, filling)).get(expression)
}

/** Throws CodeError if an expression in the text does not compile. */
export function checkTemplate(text: string, file: string): void {
  splitIntoParts(text, file)
}

/** Throws CodeError if the expression does not compile. */
export function checkExpression(text: string, file: string): void {
  toExpression(text, file)
}

/** Returns the JavaScript of an expression without `{{ }}` and `@`. Throws CodeError. */
export const wholeExpression = (text: string): string => toExpression(text, '')

/** Returns the expressions of all `{{ }}` and `@scope.name` in a text. Throws CodeError. */
export const expressionsIn = (text: string): string[] =>
  splitIntoParts(text, '').flatMap((part) =>
    typeof part === 'string' ? [] : [part.expression],
  )

/** Whether a `{{` has no `}}` and is not escaped, so that users see it. Throws CodeError. */
export const hasOpenBraces = (text: string): boolean =>
  text.includes('{{') &&
  // An escaped one is a separate part.
  splitIntoParts(text, '').some(
    (part) => typeof part === 'string' && part !== '{{' && part.includes('{{'),
  )

const toExpression = onceForText((text, file: string): string => {
  const trimmed = text.trim()
  if (compiles(trimmed)) return trimmed
  const [only, ...others] = splitIntoParts(trimmed, file)
  if (typeof only === 'object' && others.length === 0) return only.expression
  const written = trimmed.replace(shorthand, (_, name: string) => name)
  if (!compiles(written))
    throw new CodeError(
      'syntax',
      `The text is not a JavaScript expression: ${toFault(trimmed)}`,
      { file, code: text },
      { line: 1 },
    )
  return written
})

function walk(json: unknown, change: (text: string) => unknown): unknown {
  if (typeof json === 'string') return change(json)
  if (Array.isArray(json)) return json.map((item) => walk(item, change))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, walk(value, change)]),
  )
}

const asText = (parts: Part[], values?: Map<string, unknown>) =>
  parts
    .map((part) =>
      typeof part === 'string' ? part : shown(values?.get(part.expression)),
    )
    .join('')

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Most texts have no expression, and are not worth keeping. */
const splitIntoParts = (text: string, file: string): Part[] =>
  text.includes('{{') || text.includes('@') ? split(text, file) : [text]

const split = onceForText((text, file: string): Part[] => {
  const parts: Part[] = []
  let from = 0
  for (;;) {
    const open = text.indexOf('{{', from)
    if (open < 0)
      return [...parts, ...references(text.slice(from))].filter((part) => part !== '')
    if (text[open - 1] === '\\' && open > from) {
      parts.push(...references(text.slice(from, open - 1)), '{{')
      from = open + 2
      continue
    }
    const end = findEnd(text, open + 2)
    if (end === 'open')
      return [...parts, ...references(text.slice(from))].filter((part) => part !== '')
    if (end === null)
      throw new CodeError(
        'syntax',
        `The text in {{ }} is not a JavaScript expression: ${toFault(inFirst(text, open + 2))}`,
        { file, code: text },
        { line: text.slice(0, open).split('\n').length },
      )
    const expression = text.slice(open + 2, end).trim()
    parts.push(
      ...references(text.slice(from, open)),
      ...(expression ? [{ expression }] : []),
    )
    from = end + 2
  }
})

/**
 * Limits the search below: objects and strings may contain `}}`, so the expression ends at the
 * first `}}` that compiles.
 */
const maxEnds = 50
function findEnd(text: string, from: number): number | 'open' | null {
  let end = text.indexOf('}}', from)
  if (end < 0) return 'open'
  for (let tried = 0; end >= 0 && tried < maxEnds; tried++) {
    const expression = text.slice(from, end).trim()
    if (expression === '' || compiles(expression)) return end
    end = text.indexOf('}}', end + 1)
  }
  return null
}

const inFirst = (text: string, from: number) =>
  text.slice(from, text.indexOf('}}', from)).trim()

const compiles = (expression: string): boolean => compileFault(expression) === null

/**
 * Returns why it does not compile, or null. Compiles in parentheses and in brackets: `1), (2` compiles
 * only in the former and is not one expression.
 */
function compileFault(expression: string): string | null {
  if (expression === '') return '"" is empty'
  if (/^\/[/*]/.test(expression)) return `"${shorten(expression)}" begins with a comment`
  try {
    for (const [open, close] of ['()', '[]'] as const)
      new Script(`(async () => ${open}${expression}\n${close})`, {
        filename: 'expression',
      })
    return null
  } catch (error) {
    const { message, stack = '' } = error as Error
    const line = Number(/^expression:(\d+)/.exec(stack)?.[1])
    // The line of the closing bracket.
    return line > expression.split('\n').length
      ? `"${shorten(expression)}" is incomplete`
      : `"${shorten(expression)}" fails with "${message}"`
  }
}

const toFault = (expression: string): string =>
  compileFault(expression) ?? `"${shorten(expression)}" is not one expression`

const shorten = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

const shorthand =
  /(?<![\w.+-])@((?:workflow|conversation|user|bot|session|turn|env|event)(?:\.[A-Za-z_$][\w$]*)+)/g

function references(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const { index, 0: match, 1: path } of text.matchAll(shorthand)) {
    parts.push(text.slice(from, index), { expression: path!.replaceAll('.', '?.') })
    from = index + match.length
  }
  return [...parts, text.slice(from)].filter((part) => part !== '')
}

/**
 * Evaluates all expressions in one realm, each in its own try, so that an error names its
 * expression.
 */
async function evaluateAll(
  expressions: string[],
  surroundings: Surroundings,
  { file, timeoutMs }: Filling,
): Promise<Map<string, unknown>> {
  const each = expressions.map((expression) => `async () => (${expression}\n)`).join(',')
  const script =
    new Script(`'use strict';globalThis['${bridgeNames.finish}']((async () => {
    const all = []
    for (const each of [${each}])
      try {
        all.push({ value: await each() })
      } catch (error) {
        const name = String(error?.name ?? 'Error')
        all.push({ error: String(error?.message ?? error), name, code: String(error?.code) })
      }
    return all
  })())`)
  const ending = await runInRealm(script, surroundings, { timeoutMs, keeps: false })
  if ('fault' in ending)
    throw new CodeError(
      ending.fault,
      ending.message,
      { file, code: expressions.join('\n') },
      undefined,
    )
  const all = ending.value as {
    value?: unknown
    error?: string
    name?: string
    code?: string
  }[]
  return new Map(
    expressions.map((expression, index) => {
      const { value, error, name, code } = all[index]!
      if (error !== undefined)
        throw new CodeError(
          'thrown',
          toErrorText({ name, message: error, code }),
          { file, code: expression },
          { line: 1 },
        )
      return [expression, value]
    }),
  )
}
