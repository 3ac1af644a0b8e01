// JavaScript of exports: whether it can run in a bot.
import { CodeError } from '../code/code-error.ts'
import { checkExpression } from '../code/template.ts'

export function isExpression(text: string): boolean {
  try {
    checkExpression(text, '')
    return text.length <= 10_000
  } catch (error) {
    if (error instanceof CodeError) return false
    throw error
  }
}

/** Things of browsers and of Node that code of bots does not have. */
const foreign =
  /(?<![\w$.'"`-])(?:window|document|localStorage|sessionStorage|navigator|location|alert|process|require|__dirname|fetch|Buffer|XMLHttpRequest|fs)(?![\w$'"`-])|^\s*import\s|\bimport\s*\(|\bexport\s/m

/** Returns the first name that code of bots does not have, or null. */
export function findForeign(code: string): string | null {
  const [found] = foreign.exec(code) ?? []
  return found?.trim() ?? null
}

const known = new Set(
  (
    'conversation user bot event session turn env workflow Math Number String Boolean ' +
    'Date JSON Array Object RegExp Set Map Promise parseInt parseFloat isNaN isFinite ' +
    'encodeURIComponent decodeURIComponent Intl undefined NaN Infinity true false null ' +
    'typeof instanceof in of new void await async function return const let var if else ' +
    'for while do break continue switch case default try catch finally throw this delete ' +
    'axios luxon console crypto URL URLSearchParams setTimeout Error'
  ).split(' '),
)

const strings =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/.*|\/\*[\s\S]*?\*\//g
const words = /(?<![\w$.])[A-Za-z_$][\w$]*(?!\s*:(?!:))/g

/** Whether all names of an expression exist in bots. A text such as `hello` is an expression, too. */
export function knowsNames(expression: string): boolean {
  const bare = expression.replace(strings, ' ')
  const own = new Set(
    [
      ...bare.matchAll(
        /(?:\(([\w$,\s]*)\)|([\w$]+))\s*=>|\b(?:const|let|var|function)\s+([\w$]+)/g,
      ),
    ].flatMap(([, list = '', one = '', named = '']) =>
      [...list.split(','), one, named].map((name) => name.trim()),
    ),
  )
  return [...bare.matchAll(words)].every(
    ([word]) => known.has(word) || own.has(word) || word === '_',
  )
}
