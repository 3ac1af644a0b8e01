// The common structure that all formats produce: headings and the text below them.

export type BlockKind = 'paragraph' | 'blockquote' | 'list' | 'table' | 'code'

export interface HeadingBlock {
  kind: 'heading'
  /** 1 is the outermost. */
  level: number
  /** Empty where only the section above ends. */
  text: string
  page?: number
}

export interface BodyBlock {
  kind: BlockKind
  /** Lists, tables and code keep their lines. */
  text: string
  /** The first line of a table, repeated in each part of it. */
  header?: string
  page?: number
}

export type Block = HeadingBlock | BodyBlock
export type Blocks = Iterable<Block> | AsyncIterable<Block>

/** The file cannot be indexed; the message is for its owner. */
export class UnreadableFile extends Error {}

export const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/**
 * Returns the distinct texts of headers and footers as paragraphs outside of all sections, without page
 * numbers and the like.
 */
export function toMargins(blocks: Iterable<Block>): Block[] {
  const texts = new Set([...blocks].map(({ text }) => text).filter(isText))
  const margins = [...texts].map((text): Block => ({ kind: 'paragraph', text }))
  return margins.length > 0 ? [{ kind: 'heading', level: 0, text: '' }, ...margins] : []
}

const isText = (text: string) => /\p{L}{3}/u.test(text)

/** Real documents do not nest deeper, and parsers become slow. */
const maxDepth = 1_000

/** Counts opening and closing tags. Throws Unreadable beyond the maximum depth. */
export function depthGuard() {
  let depth = 0
  return {
    opened() {
      depth += 1
      if (depth > maxDepth)
        throw new UnreadableFile(`The document nests deeper than ${maxDepth} levels`)
    },
    closed() {
      depth -= 1
    },
  }
}
