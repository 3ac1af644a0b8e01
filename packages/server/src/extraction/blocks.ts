// What the text of a file is made of, as all formats give it: headings, and what stands under them.

export type BlockKind = 'paragraph' | 'blockquote' | 'list' | 'table' | 'code'

export interface Heading {
  kind: 'heading'
  /** From 1, the outermost. */
  level: number
  text: string
  page?: number
}

export interface Body {
  kind: BlockKind
  /** Of a list, a table or code: with its lines. */
  text: string
  /** The first line of a table, which every part of it needs to be understood. */
  header?: string
  page?: number
}

export type Block = Heading | Body
export type Blocks = Iterable<Block> | AsyncIterable<Block>

/** The file cannot be indexed, for a reason that its owner is told. */
export class Unreadable extends Error {}

export const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Nobody writes so deep; readers become slow with it. */
const mostDepth = 1_000

/** Counts as tags open and close. Throws Unreadable. */
export function depthGuard() {
  let depth = 0
  return {
    opened() {
      depth += 1
      if (depth > mostDepth) throw new Unreadable(`The document nests deeper than ${mostDepth} levels`)
    },
    closed() {
      depth -= 1
    },
  }
}
