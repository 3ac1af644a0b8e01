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
import {
  isList,
  isQuestion,
  pieces,
  questionParts,
  takeIntroduction,
  toRows,
} from './pieces.ts'
import { searchableText, searchableWords } from './text/searchable-text.ts'

export type Subtype = 'title' | 'subtitle' | BlockKind | 'image'

export interface ExtractedPassage {
  subtype: Subtype
  content: string
  /** Where the text below the headings begins in `content`. */
  bodyStart: number
  page?: number
  /** The headings above it, outermost first, without those at the beginning of `content`. */
  headings: string[]
  /** Search text of its body, of its nearest heading, and of the title and the other headings above. */
  searchable: { body: string; heading: string; outer: string }
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
/** Further rows of a file share passages: a large table would need too many. */
const maxRows = 2_000

/** Throws Unreadable for a file with too much text. */
export async function* toPassages(
  blocks: Blocks,
  { min = defaultMin, max = defaultMax, title }: PassageOptions,
): AsyncGenerator<ExtractedPassage> {
  const path: HeadingBlock[] = []
  /** Headings that are in no passage yet; the next passage begins with them. */
  let fresh: HeadingBlock[] = []
  let gathered: BodyBlock[] = []
  let count = 0
  let length = 0
  let rows = 0

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
    const passage = toPassage({ path, fresh, gathered, title })
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
    const rowsOfBlock = rows < maxRows ? toRows(block, max) : null
    if (rowsOfBlock) {
      if (gathered.length > 0) yield made()
      for (const row of rowsOfBlock) {
        rows += 1
        gathered.push(row)
        yield made()
      }
      continue
    }
    const introduction = isList(block) ? takeIntroduction(gathered) : undefined
    const whole = introduction ? { ...block, header: introduction.text } : block
    for (const piece of questionParts(whole).flatMap((part) => [...pieces(part, max)])) {
      const held = gathered.reduce((sum, one) => sum + one.text.length + 2, 0)
      // a question alone still needs its answer
      const isEnough = held >= min && !(gathered.length === 1 && isQuestion(gathered[0]!))
      const isFull = isEnough || held + piece.text.length > max
      if (gathered.length > 0 && (isFull || isQuestion(piece))) yield made()
      gathered.push(piece)
    }
  }
  if (gathered.length > 0 || fresh.length > 0) yield made()
}

function toPassage({
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
  const searchable = toSearchable(
    title,
    path.map((one) => one.text),
    body,
  )
  return {
    subtype: chooseSubtype(gathered, fresh),
    content: [...fresh.map((one) => one.text), ...(body === '' ? [] : [body])].join('\n'),
    bodyStart: fresh.reduce((sum, one) => sum + one.text.length + 1, 0),
    ...(first?.page !== undefined && { page: first.page }),
    headings: above,
    searchable,
    tokens: searchableWords(searchable.body).length,
  }
}

export const toSearchable = (title: string, headings: string[], body: string) => ({
  body: searchableText(body),
  heading: searchableText(headings.at(-1) ?? ''),
  outer: searchableText([title, ...headings.slice(0, -1)].join(' ')),
})

export const listSearchable = ({
  searchable: { outer, heading, body },
}: ExtractedPassage) => searchableWords([outer, heading, body].filter(Boolean).join(' '))

/** Returns the kind with the longest text. */
function chooseSubtype(gathered: BodyBlock[], fresh: HeadingBlock[]): Subtype {
  if (gathered.length === 0) return fresh[0]?.level === 1 ? 'title' : 'subtitle'
  return gathered.reduce((longest, one) =>
    one.text.length > longest.text.length ? one : longest,
  ).kind
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
        ...('header' in block &&
          block.header !== undefined && { header: cleaned(block.header) }),
      } as Block
  }
}

/** Longer headings are paragraphs in a large font. */
const maxHeadingLength = 300
const cleaned = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\0', '')
    .replaceAll('\r\n', '\n')
    .trimEnd()
    .replace(/^\n+/, '')
