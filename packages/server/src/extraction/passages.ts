// Cuts blocks into passages: each within one section, not too long to be read at a glance, and not too short to be understood.
import { type Block, type BlockKind, type Blocks, type Body, type Heading, Unreadable } from './blocks.ts'
import { searchableText, wordsOf } from './searchable-text.ts'

export type Subtype = 'title' | 'subtitle' | BlockKind | 'image'

export interface Passage {
  subtype: Subtype
  content: string
  page?: number
  /** What it stands under, outermost first, without the headings that its content begins with. */
  headings: string[]
  /** Its own words, and those of all headings above it, to be looked for. */
  searchable: { body: string; headings: string }
  tokens: number
}

export interface Cutting {
  /** Characters. What is shorter is merged with what follows in the same section. */
  least?: number | undefined
  most?: number | undefined
  /** What the whole file is about. */
  title: string
}

const usualLeast = 400
const usualMost = 1_000
const mostText = 5_000_000
const mostPassages = 20_000

/** Throws Unreadable for more text than is indexed. */
export async function* passagesOf(
  blocks: Blocks,
  { least = usualLeast, most = usualMost, title }: Cutting,
): AsyncGenerator<Passage> {
  const path: Heading[] = []
  /** Headings that stand in no passage yet: the next one begins with them. */
  let fresh: Heading[] = []
  let gathered: Body[] = []
  let count = 0
  let length = 0

  const counted = (passage: Passage) => {
    count += 1
    length += passage.content.length
    if (count > mostPassages || length > mostText)
      throw new Unreadable(
        `The file has more text than is indexed: ${mostText} characters, or ${mostPassages} passages`,
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
      if (gathered.length > 0 || (fresh.length > 0 && block.level <= fresh.at(-1)!.level)) yield made()
      while (path.length > 0 && path.at(-1)!.level >= block.level) path.pop()
      path.push(block)
      fresh.push(block)
      continue
    }
    for (const piece of pieces(block, most)) {
      const held = gathered.reduce((sum, one) => sum + one.text.length + 2, 0)
      if (gathered.length > 0 && (held >= least || held + piece.text.length > most)) yield made()
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
  path: Heading[]
  fresh: Heading[]
  gathered: Body[]
  title: string
}): Passage {
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
    tokens: wordsOf(searchable.body).length,
  }
}

/** The kind of which there is most. */
function subtypeOf(gathered: Body[], fresh: Heading[]): Subtype {
  if (gathered.length === 0) return fresh[0]?.level === 1 ? 'title' : 'subtitle'
  return gathered.reduce((most, one) => (one.text.length > most.text.length ? one : most)).kind
}

/** Of a table each piece begins with its header, if that leaves room for rows. */
function* pieces(block: Body, most: number): Generator<Body> {
  const header = block.header && block.header.length < most / 2 ? `${block.header}\n` : ''
  const whole = header + block.text
  if (whole.length <= most) return yield { ...block, text: whole }
  const text = block.header && header === '' ? `${block.header}\n${block.text}` : block.text
  for (const piece of split(
    text,
    most - header.length,
    block.kind === 'paragraph' || block.kind === 'blockquote' ? sentenceEnd : lineEnd,
  ))
    yield { ...block, text: header + piece }
}

const lineEnd = /\n/g
const sentenceEnd = /[.!?…](?=\s)|[。！？]|\n/g

/** At the last good place that fits; else between words; else anywhere, but not within a character. */
function* split(text: string, most: number, end: RegExp): Generator<string> {
  let rest = text
  while (rest.length > most) {
    const window = rest.slice(0, most + 1)
    const good = [...window.matchAll(end)].at(-1)
    const space = window.lastIndexOf(' ')
    let cut = good && good.index > most / 3 ? good.index + 1 : space > most / 3 ? space : most
    cut = Math.min(cut, most)
    if (/[\ud800-\udbff]/.test(rest[cut - 1]!)) cut -= 1
    const piece = rest.slice(0, cut).trim()
    if (piece !== '') yield piece
    rest = rest.slice(cut).replace(/^[ \t]*\n?/, '')
  }
  if (rest.trim() !== '') yield rest.trimEnd()
}

/** What PostgreSQL cannot hold goes; what says nothing is left out. */
export async function* storable(blocks: Blocks): AsyncGenerator<Block> {
  for await (const block of blocks) {
    const text = cleaned(block.text)
    if (text === '') continue
    if (block.kind === 'heading' && text.length > longestHeading) yield { ...block, kind: 'paragraph', text }
    else
      yield {
        ...block,
        text,
        ...('header' in block && block.header !== undefined && { header: cleaned(block.header) }),
      } as Block
  }
}

/** What is longer is a text in large letters. */
const longestHeading = 300
const cleaned = (text: string) =>
  text.toWellFormed().replaceAll('\0', '').replaceAll('\r\n', '\n').trimEnd().replace(/^\n+/, '')
