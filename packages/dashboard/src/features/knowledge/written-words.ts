// The words of a search as people write them: the search itself compares stems without accents.
import type { ExplainedPassage } from '@botstead/contract'
import { plain, toWords } from '../../parts/messages/marked-text.tsx'

const bare = (word: string) => plain(word).replaceAll('ß', 'ss')

/** Returns a function for the form that a word of the search has in the question. */
export function toWritten(query: string): (word: string) => string {
  const written = new Map(toWords(query).map((word) => [bare(word), word]))
  return (word) => written.get(bare(word)) ?? word
}

/** A stem may end in another letter than its words: "happi" for "happy". */
const minLength = 3

/** Returns the matched words of the passages that have one of the stems. */
export function findAlike(stems: string[], passages: ExplainedPassage[]): string[] {
  const beginnings = stems.map((stem) =>
    bare(stem).slice(0, Math.max(minLength, stem.length - 1)),
  )
  const matched = passages.flatMap((passage) => passage.matched)
  const alike = matched.filter((word) =>
    beginnings.some((one) => bare(word).startsWith(one)),
  )
  return [...new Set(alike)]
}
