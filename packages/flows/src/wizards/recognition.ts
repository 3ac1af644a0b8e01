// Finds the texts of the catalogue in a document, with the expressions that a wizard has put into them.
import { joined, standard, type Text, toKnownLanguage } from './text.ts'
import { catalogue } from './texts/catalogue.ts'
import type { DialogueTexts, TextId } from './texts/en.ts'

interface Masked {
  /** A character of private use stands for each expression. */
  text: string
  restore: (text: string) => string
}

const maxExpressions = 1_000
/** The longest text of the catalogue with long names of an author. */
const maxLength = 3_000

const privateUse = /[\ue000-\uf8ff]/g
const expressions = /(?<!\\)\{\{[\s\S]*?\}\}/g

function mask(written: string): Masked | null {
  if (written.length > maxLength || written.search(privateUse) >= 0) return null
  const found: string[] = []
  const text = written.replace(expressions, (one) => {
    found.push(one)
    return String.fromCharCode(0xdfff + found.length)
  })
  if (found.length > maxExpressions) return null
  return {
    text,
    restore: (other) =>
      other.replace(privateUse, (sign) => found[sign.charCodeAt(0) - 0xe000]!),
  }
}

interface Pattern {
  id: TextId
  pattern: RegExp
  parts: string[]
}

const part = /\{(\w+)\}/

/** Lists of words and titles of flows are no texts of messages. */
const isMessage = (id: string) => !/(?:Words|Title)$/.test(id)

const toLiteral = (text: string) => text.replace(/[\^$\\.*+?()[\]{}|]/g, '\\$&')

const known = new Map<
  DialogueTexts,
  { exact: Map<string, TextId>; patterns: Pattern[] }
>()

function openTexts(texts: DialogueTexts) {
  const found = known.get(texts)
  if (found) return found
  const exact = new Map<string, TextId>()
  const patterns: Pattern[] = []
  for (const [id, text] of Object.entries(texts) as [TextId, string][]) {
    if (!isMessage(id)) continue
    // Pieces at odd positions are names of parts.
    const pieces = text.split(part)
    if (pieces.length === 1 && !exact.has(text)) exact.set(text, id)
    if (pieces.length === 1) continue
    const source = pieces.map((piece, index) =>
      index % 2 === 1 ? '([\\s\\S]+?)' : toLiteral(piece),
    )
    const parts = pieces.filter((_, index) => index % 2 === 1)
    patterns.push({ id, pattern: new RegExp(`^${source.join('')}$`), parts })
  }
  // The text with the most fixed words fits best.
  patterns.sort((one, other) => texts[other.id].length - texts[one.id].length)
  known.set(texts, { exact, patterns })
  return known.get(texts)!
}

/** Returns the text in all languages of the catalogue, or null if its author has changed it. */
export function recognize(written: string, language: string): Text | null {
  const original = toKnownLanguage(language)
  const masked = mask(written)
  if (original === undefined || !masked) return null
  const found = find(masked.text, catalogue[original]!, maxDepth)
  if (!found) return null
  return (wanted, fallback) => {
    const text = found(wanted, fallback)
    return text === null ? null : masked.restore(text)
  }
}

/** A text has a summary, which has a label. */
const maxDepth = 3

function find(text: string, texts: DialogueTexts, depth: number): Text | null {
  if (!/\p{L}/u.test(text)) return () => text
  const { exact, patterns } = openTexts(texts)
  const id = exact.get(text)
  if (id !== undefined) return standard(id)
  if (depth === 0) return null
  for (const { id, pattern, parts } of patterns) {
    const [whole, ...inner] = pattern.exec(text) ?? []
    if (whole === undefined) continue
    const found = inner.map((one) => find(one, texts, depth - 1))
    if (!found.includes(null))
      return standard(
        id,
        Object.fromEntries(parts.map((name, index) => [name, found[index]!])),
      )
  }
  return findLines(text, texts)
}

/** The lines of a summary: `E-mail: {{ workflow.email }}`. */
function findLines(text: string, texts: DialogueTexts): Text | null {
  const { exact } = openTexts(texts)
  const lines = text.split('\n').map((line): Text | null => {
    const [label = '', ...rest] = line.split(': ')
    const id = exact.get(label)
    const value = rest.join(': ')
    return id === undefined || value === '' || /\p{L}/u.test(value)
      ? null
      : joined([standard(id), () => `: ${value}`])
  })
  return lines.includes(null) ? null : joined(lines as Text[], '\n')
}
