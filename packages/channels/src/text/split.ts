// Divides texts that are longer than a provider admits: at a paragraph, a line, a sentence, a word, in this
// order of preference, never inside of a character.
import { type RichText, sliceRichText } from './rich-text.ts'

/** Ends of what belongs together, best first. */
const ends = [
  /\n\n+/g,
  /\n+/g,
  /[.!?…。！？](?:["'”’)\]]*)(?:\s+|(?<=[。！？]))/g,
  /\s+/g,
]
/** A part is not shorter than this share of the limit, if there is another way. */
const minShare = 0.4

/** Returns parts of at most `limit` UTF-16 code units each; none for an empty text. */
export function splitRichText(rich: RichText, limit: number): RichText[] {
  const parts: RichText[] = []
  let rest = rich
  while (rest.text.length > limit) {
    const at = findEnd(rest.text, limit)
    parts.push(trimRichText(sliceRichText(rest, 0, at)))
    rest = sliceRichText(rest, at, rest.text.length)
    const blank = rest.text.length - rest.text.trimStart().length
    rest = sliceRichText(rest, blank, rest.text.length)
  }
  if (rest.text !== '') parts.push(rest)
  return parts.filter(({ text }) => text !== '')
}

export const splitText = (text: string, limit: number): string[] =>
  splitRichText({ text, marks: [] }, limit).map((part) => part.text)

const trimRichText = (rich: RichText) =>
  sliceRichText(rich, 0, rich.text.trimEnd().length)

/** Returns the position of the best end within the limit. */
function findEnd(text: string, limit: number): number {
  const beginning = text.slice(0, limit + 1)
  for (const end of ends) {
    const last = [...beginning.matchAll(end)]
      .map(({ index, 0: { length } }) => index + length)
      .filter((at) => at - trailingSpace(text, at) <= limit)
      .at(-1)
    if (last !== undefined && last >= limit * minShare) return last
  }
  return beforeHalfCharacter(text, limit)
}

const trailingSpace = (text: string, at: number) =>
  text.slice(0, at).length - text.slice(0, at).trimEnd().length

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A character may consist of several code units, such as an emoji of a family. */
function beforeHalfCharacter(text: string, limit: number): number {
  const around = Math.max(0, limit - 64)
  let at = around
  for (const { index, segment } of graphemes.segment(text.slice(around, limit + 64))) {
    if (around + index + segment.length > limit) break
    at = around + index + segment.length
  }
  return at > around ? at : limit
}
