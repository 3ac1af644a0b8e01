// Texts of bots have up to a megabyte: they are read in pieces, and others have a turn in between.
import { setImmediate as turn } from 'node:timers/promises'
import { type Notation, type RichText, toRichText, writeRichText } from './rich-text.ts'
import { splitRichText, splitText } from './split.ts'

/** In characters. A piece takes about a millisecond. */
const pieceLength = 8_000

/** Reads Markdown, and returns parts of at most `limit` UTF-16 code units each; none for an empty text. */
export async function toRichParts(markdown: string, limit: number): Promise<RichText[]> {
  const parts: RichText[] = []
  for (const piece of splitText(markdown, pieceLength)) {
    parts.push(...splitRichText(toRichText(piece), limit))
    await turn()
  }
  return parts
}

interface WrittenLimit {
  notation: Notation
  limit: number
  /** Default: UTF-16 code units. */
  measure?: (text: string) => number
}

/** Reads Markdown, and returns parts in a notation; its marks count towards the limit; none for an empty text. */
export async function toWrittenParts(
  markdown: string,
  options: WrittenLimit,
): Promise<string[]> {
  const parts = await toRichParts(markdown, options.limit)
  return parts.flatMap((part) => writeWithin(part, options))
}

/** Divides a text that is too long once it is written, in proportion. */
export function writeWithin(rich: RichText, options: WrittenLimit): string[] {
  const { notation, limit, measure = (text: string) => text.length } = options
  const written = writeRichText(rich, notation)
  const size = measure(written)
  if (size <= limit) return written === '' ? [] : [written]
  const shorter = Math.max(1, Math.floor((rich.text.length * limit * 0.95) / size))
  if (shorter >= rich.text.length || shorter < 20)
    return splitText(written, Math.ceil(limit / 4))
  return splitRichText(rich, shorter).flatMap((part) => writeWithin(part, options))
}
