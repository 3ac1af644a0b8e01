// Cuts blocks into passages: each within one section, short enough to scan and long enough to
// understand.
import {
  type Block,
  type BlockKind,
  type Blocks,
  type BodyBlock,
  type HeadingBlock,
  UnreadableFile,
} from './blocks.ts'
import { searchableText, searchableWords } from './searchable-text.ts'

export type Subtype = 'title' | 'subtitle' | BlockKind | 'image'

export interface ExtractedPassage {
  subtype: Subtype
  content: string
  page?: number
  /** The headings above it, outermost first, without those at the beginning of `content`. */
  headings: string[]
  /** Search text of its body, and of all headings above it. */
  searchable: { body: string; headings: string }
  tokens: number
}

interface PassageOptions {
  /** Minimum characters. Shorter parts are merged with the next ones of the same section. */
  min?: number | undefined
  max?: number | undefined
  /** The title of the file. */
  title: string
}

const defaultMin = 400
const defaultMax = 1_000
const maxText = 5_000_000
const maxPassages = 20_000

/** Throws Unreadable for a file with too much text. */
export async function* passagesOf(
  blocks: Blocks,
  { min = defaultMin, max = defaultMax, title }: PassageOptions,
): AsyncGenerator<ExtractedPassage> {
  const path: HeadingBlock[] = []
  /** Headings that are in no passage yet; the next passage begins with them. */
  let fresh: HeadingBlock[] = []
  let gathered: BodyBlock[] = []
  let count = 0
  let length = 0

  const counted = (passage: ExtractedPassage) => {
    count += 1
    length += passage.content.length
    if (count > maxPassages || length > maxText)
      throw new UnreadableFile(
        `The file has too much text to index: the limit is ${maxText} characters, or ${maxPassages} passages`,
      )
    return passage
  }
  const made = () => {
    const passage = passageOf({ path, fresh, gathered, title })
    fresh = []
    gathered = []
    return counted(passage)
  }

  for await (const block of blocks) {
    if (block.kind === 'heading') {
      if (gathered.length > 0 || (fresh.length > 0 && block.level <= fresh.at(-1)!.level))
        yield made()
      while (path.length > 0 && path.at(-1)!.level >= block.level) path.pop()
      if (block.text === '') continue
      path.push(block)
      fresh.push(block)
      continue
    }
    for (const piece of pieces(block, max)) {
      const held = gathered.reduce((sum, one) => sum + one.text.length + 2, 0)
      if (gathered.length > 0 && (held >= min || held + piece.text.length > max)) yield made()
      gathered.push(piece)
    }
  }
  if (gathered.length > 0 || fresh.length > 0) yield made()
}

function passageOf({
  path,
  fresh,
  gathered,
  title,
}: {
  path: HeadingBlock[]
  fresh: HeadingBlock[]
  gathered: BodyBlock[]
  title: string
}): ExtractedPassage {
  const body = gathered.map((one) => one.text).join('\n\n')
  const first = gathered[0] ?? fresh[0]
  const above = path.slice(0, path.length - fresh.length).map((one) => one.text)
  const searchable = {
    body: searchableText(body),
    headings: searchableText([title, ...path.map((one) => one.text)].join(' ')),
  }
  return {
    subtype: subtypeOf(gathered, fresh),
    content: [...fresh.map((one) => one.text), ...(body === '' ? [] : [body])].join('\n'),
    ...(first?.page !== undefined && { page: first.page }),
    headings: above,
    searchable,
    tokens: searchableWords(searchable.body).length,
  }
}

/** Returns the kind with the longest text. */
function subtypeOf(gathered: BodyBlock[], fresh: HeadingBlock[]): Subtype {
  if (gathered.length === 0) return fresh[0]?.level === 1 ? 'title' : 'subtitle'
  return gathered.reduce((longest, one) => (one.text.length > longest.text.length ? one : longest))
    .kind
}

/**
 * Splits a block. Each piece of a table begins with the table's header, if that leaves room for
 * rows.
 */
function* pieces(block: BodyBlock, max: number): Generator<BodyBlock> {
  const header = block.header && block.header.length < max / 2 ? `${block.header}\n` : ''
  const whole = header + block.text
  if (whole.length <= max) return yield { ...block, text: whole }
  const text = block.header && header === '' ? `${block.header}\n${block.text}` : block.text
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

/** Removes characters that PostgreSQL cannot store, and empty blocks. */
export async function* storable(blocks: Blocks): AsyncGenerator<Block> {
  for await (const block of blocks) {
    const text = cleaned(block.text)
    if (text === '' && (block.kind !== 'heading' || block.text !== '')) continue
    if (block.kind === 'heading' && block.text.length > maxHeadingLength)
      yield { ...block, kind: 'paragraph', text }
    else
      yield {
        ...block,
        text,
        ...('header' in block && block.header !== undefined && { header: cleaned(block.header) }),
      } as Block
  }
}

/** Longer headings are paragraphs in a large font. */
const maxHeadingLength = 300
const cleaned = (text: string) =>
  text.toWellFormed().replaceAll('\0', '').replaceAll('\r\n', '\n').trimEnd().replace(/^\n+/, '')
