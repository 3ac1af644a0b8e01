// Texts of exports as pieces: literal text, and JavaScript over variables of the document. A literal never
// becomes an expression: its `{{` and `@user.name` are escaped.

export type Piece = string | { js: string }

/** Splits a text at the matches. `read` returns JavaScript; null keeps the match as text. */
export function splitText(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => string | null,
): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(pattern) as Iterable<RegExpExecArray>) {
    const js = read(match)
    if (js === null) continue
    pieces.push(text.slice(from, match.index), { js })
    from = match.index + match[0].length
  }
  return [...pieces, text.slice(from)].filter((piece) => piece !== '')
}

const shorthand =
  /(?<![\w.+-])@(?=(?:workflow|conversation|user|bot|session|turn|env|event)\.)/g

const escapeLiteral = (text: string, isBeforeExpression: boolean): string => {
  const escaped = text.replaceAll('{{', '\\{{').replace(shorthand, '{{ "@" }}')
  // The engine reads a backslash before the braces as their escape.
  return isBeforeExpression ? escaped.replace(/\\$/, '{{ "\\\\" }}') : escaped
}

/** Returns a text of the document. A text of one expression has the value of the expression. */
export const toTemplate = (pieces: Piece[]): string =>
  pieces
    .map((piece, index) =>
      typeof piece === 'string'
        ? escapeLiteral(piece, typeof pieces[index + 1] === 'object')
        : `{{ ${piece.js} }}`,
    )
    .join('')

/** Of a text with expressions, in the document's check. */
const maxTemplate = 10_000

/**
 * Returns instructions for a model. The expressions of a text that is too long for them become data, which
 * the text names.
 */
export function toInstructions(pieces: Piece[]): {
  instructions: string
  data: Record<string, string>
} {
  const instructions = toTemplate(pieces)
  if (instructions.length <= maxTemplate || isLiteral(pieces))
    return { instructions, data: {} }
  const data: Record<string, string> = {}
  const named = pieces.map((piece, index) => {
    if (typeof piece === 'string') return piece
    data[`value${index}`] = `{{ ${piece.js} }}`
    return `(value${index} of the data)`
  })
  return { instructions: toTemplate([named.join('')]), data }
}

/** Returns a JavaScript expression with the value; of several pieces, their text. */
export function toJs(pieces: Piece[]): string {
  if (pieces.length === 0) return '""'
  const [only] = pieces
  if (pieces.length === 1) return typeof only === 'string' ? toLiteral(only) : only!.js
  return pieces
    .map((piece) =>
      typeof piece === 'string' ? toLiteral(piece) : `String(${piece.js} ?? "")`,
    )
    .join(' + ')
}

export const toLiteral = (value: unknown): string => JSON.stringify(value ?? null)

export const isLiteral = (pieces: Piece[]): boolean =>
  pieces.every((one) => typeof one === 'string')

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function decodeEntity(entity: string, name: string): string {
  if (!name.startsWith('#'))
    return Object.hasOwn(entities, name) ? entities[name]! : entity
  const code = /^#x/i.test(name)
    ? Number.parseInt(name.slice(2), 16)
    : Number(name.slice(1))
  const isScalar = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isScalar ? String.fromCodePoint(code) : entity
}

/** Returns the text of simple HTML, as editors of rich text write it. Paragraphs become lines. */
export const htmlToText = (html: string): string =>
  html
    .replace(/<li\b[^>]*>/gi, '- ')
    .replace(/<br\s*\/?>|<\/(?:p|div|li|h[1-6])>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,6});/gi, decodeEntity)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
