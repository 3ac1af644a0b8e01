// Splits TypeScript and Python into tokens. Blocks of Python get braces, so that one parser reads both.
// Nothing is evaluated.
import type { Piece } from '../pieces.ts'

export interface Token {
  kind: 'word' | 'text' | 'mark' | 'end'
  /** The word, the mark, or the text without its quotes. */
  value: string
  /** Parts of a text with expressions, which are JavaScript or Python. */
  parts?: Piece[]
}

export type Language = 'js' | 'python'

const opening = '([{'
const closing = ')]}'
const quotes = /(?:[rfbu]{0,2})("""|'''|"|'|`)/iy
const word = /[\p{L}_$][\p{L}\p{N}_$]*|\d[\d_.]*/uy
const mark = /===|!==|==|!=|<=|>=|=>|&&|\|\||\?\?|\?\.|\.\.\.|[^\s]/y
const blank = /[ \t\r\f]+|\\\n/y
const commentJs = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y
const commentPython = /#[^\n]*/y

/** More tokens are cut. */
const maxTokens = 200_000

export function tokenize(source: string, language: Language): Token[] {
  const tokens: Token[] = []
  const indents = [0]
  let [at, depth] = [0, 0]
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found) at += found[0].length
    return found
  }
  while (at < source.length && tokens.length < maxTokens) {
    if (match(blank) || match(language === 'js' ? commentJs : commentPython)) continue
    if (source[at] === '\n') {
      at++
      if (depth === 0 && language === 'python') startLine(source, at, indents, tokens)
      continue
    }
    const text = readText(source, at, language)
    if (text) {
      tokens.push(text.token)
      at = text.end
      continue
    }
    const found = match(word)
    if (found) {
      tokens.push({ kind: 'word', value: found[0] })
      continue
    }
    const [value = ''] = match(mark) ?? []
    if (value === '') {
      at++
      continue
    }
    if (opening.includes(value)) depth++
    if (closing.includes(value)) depth = Math.max(0, depth - 1)
    tokens.push(value === ';' ? { kind: 'end', value } : { kind: 'mark', value })
  }
  for (; indents.length > 1; indents.pop()) tokens.push({ kind: 'mark', value: '}' })
  return tokens
}

/** A deeper line opens a block, a higher one closes blocks. */
function startLine(source: string, at: number, indents: number[], tokens: Token[]): void {
  const [spaces = ''] = /[ \t]*/y.exec(source.slice(at, at + 1000)) ?? []
  const next = source[at + spaces.length]
  if (next === undefined || next === '\n' || next === '\r' || next === '#') return
  tokens.push({ kind: 'end', value: '\n' })
  if (spaces.length > indents.at(-1)!) {
    indents.push(spaces.length)
    tokens.push({ kind: 'mark', value: '{' })
  }
  while (spaces.length < indents.at(-1)!) {
    indents.pop()
    tokens.push({ kind: 'mark', value: '}' })
  }
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\n': '' }

function readText(
  source: string,
  from: number,
  language: Language,
): { token: Token; end: number } | null {
  quotes.lastIndex = from
  const [prefix = '', quote = ''] = quotes.exec(source) ?? []
  if (quote === '' || (language === 'js' && prefix !== quote)) return null
  const isFilled =
    quote === '`' || (language === 'python' && /f/i.test(prefix.slice(0, -quote.length)))
  const parts: Piece[] = []
  let [at, text] = [from + prefix.length, '']
  while (at < source.length && !source.startsWith(quote, at)) {
    if (source[at] === '\\') {
      const next = source[at + 1] ?? ''
      text += Object.hasOwn(escapes, next) ? escapes[next] : next
      at += 2
    } else if (
      isFilled &&
      source.startsWith(quote === '`' ? '${' : '{', at) &&
      !source.startsWith('{{', at)
    ) {
      const start = at + (quote === '`' ? 2 : 1)
      const end = findBrace(source, start)
      parts.push(text, { js: source.slice(start, end).trim() })
      text = ''
      at = end + 1
    } else {
      // Two braces of an f-string are one.
      if (isFilled && quote !== '`' && /^(?:\{\{|\}\})/.test(source.slice(at, at + 2)))
        at++
      text += source[at]
      at++
    }
  }
  parts.push(text)
  const pieces = parts.filter((piece) => piece !== '')
  const value = pieces.map((piece) => (typeof piece === 'string' ? piece : '')).join('')
  return { token: { kind: 'text', value, parts: pieces }, end: at + quote.length }
}

function findBrace(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    if (source[at] === '{') depth++
    if (source[at] === '}' && depth-- === 0) return at
  }
  return source.length
}

/** Returns the index of the mark that closes the one at `from`, or the end. */
export function findClosing(tokens: Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const { kind, value } = tokens[at]!
    if (kind !== 'mark') continue
    if (opening.includes(value)) depth++
    else if (closing.includes(value) && --depth === 0) return at
  }
  return tokens.length
}

/** Splits tokens at the marks that are in no bracket. */
export function splitAt(tokens: Token[], separators: string[]): Token[][] {
  const parts: Token[][] = [[]]
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.kind === 'mark' && opening.includes(token.value)) {
      const end = findClosing(tokens, at)
      parts.at(-1)!.push(...tokens.slice(at, end + 1))
      at = end
    } else if (token.kind !== 'text' && separators.includes(token.value)) parts.push([])
    else parts.at(-1)!.push(token)
  }
  return parts
}
