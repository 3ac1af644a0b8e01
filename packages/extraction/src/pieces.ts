// Splits blocks into the pieces that passages consist of: rows of tables, questions with answers, and lists
// below the line that introduces them.
import type { BodyBlock } from './blocks.ts'
import { describeRow, findColumns } from './table-rows.ts'

/** Returns each row of a table with the names of its columns; null for another block, and for long rows. */
export function toRows(block: BodyBlock, max: number): BodyBlock[] | null {
  if (block.kind !== 'table' || block.header === undefined) return null
  const columns = findColumns(block.header)
  const rows = columns
    ? block.text.split('\n').map((row) => describeRow(columns, row))
    : `${block.header}\n${block.text}`.split('\n')
  const filled = rows.filter((row) => row !== '')
  if (filled.some((row) => row.length > max)) return null
  return filled.map((text) => ({
    kind: block.kind,
    text,
    ...(block.page && { page: block.page }),
  }))
}

export const isList = ({ kind }: BodyBlock) => kind === 'list'
const maxIntroduction = 300

/** Removes and returns the paragraph that introduces a list, as "You need:". */
export function takeIntroduction(gathered: BodyBlock[]): BodyBlock | undefined {
  const last = gathered.at(-1)
  const introduces =
    last?.kind === 'paragraph' &&
    /[:：]$/.test(last.text) &&
    last.text.length <= maxIntroduction
  return introduces ? gathered.pop() : undefined
}

const maxQuestion = 200
const endsAsQuestion = /[?？؟]["”»]?\s*$/

/** A passage begins with a question, so that it has no answer of another one. */
export const isQuestion = ({ kind, text }: BodyBlock) => {
  const first = text.split('\n', 1)[0]!
  return kind === 'paragraph' && first.length <= maxQuestion && endsAsQuestion.test(first)
}

/** Splits a paragraph with lines of questions and answers before each question. */
export function questionParts(block: BodyBlock): BodyBlock[] {
  if (block.kind !== 'paragraph' || block.header !== undefined) return [block]
  const parts: string[] = []
  for (const line of block.text.split('\n')) {
    const begins = line.length <= maxQuestion && endsAsQuestion.test(line)
    if (begins || parts.length === 0) parts.push(line)
    else parts[parts.length - 1] += `\n${line}`
  }
  const isInterview = parts.filter((part) => part.includes('\n')).length > 1
  return isInterview ? parts.map((text) => ({ ...block, text })) : [block]
}

/**
 * Splits a block. Each piece of a table begins with the table's header, if that leaves room for
 * rows.
 */
export function* pieces(block: BodyBlock, max: number): Generator<BodyBlock> {
  const header = block.header && block.header.length < max / 2 ? `${block.header}\n` : ''
  const whole = header + block.text
  if (whole.length <= max) return yield { ...block, text: whole }
  const text =
    block.header && header === '' ? `${block.header}\n${block.text}` : block.text
  for (const piece of split(
    text,
    max - header.length,
    block.kind === 'paragraph' || block.kind === 'blockquote' ? sentenceEnd : lineEnd,
  ))
    yield { ...block, text: header + piece }
}

const lineEnd = /\n/g
const sentenceEnd = /[.!?…](?=\s)|[。！？]|\n/g

/**
 * Cuts at the last suitable end that fits, else between words, else anywhere except within a
 * surrogate pair.
 */
function* split(text: string, max: number, end: RegExp): Generator<string> {
  let rest = text
  while (rest.length > max) {
    const window = rest.slice(0, max + 1)
    const good = [...window.matchAll(end)].at(-1)
    const space = window.lastIndexOf(' ')
    let cut = max
    if (good && good.index > max / 3) cut = Math.min(good.index + 1, max)
    else if (space > max / 3) cut = space
    if (/[\ud800-\udbff]/.test(rest[cut - 1]!)) cut -= 1
    const piece = rest.slice(0, cut).trim()
    if (piece !== '') yield piece
    rest = rest.slice(cut).replace(/^[ \t]*\n?/, '')
  }
  if (rest.trim() !== '') yield rest.trimEnd()
}
