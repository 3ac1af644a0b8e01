// Splits answers into sentences. A citation belongs to the sentence before it, a list item is a sentence.
import { citationMarker } from './citations.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })
/** Has no effect on where sentences end. */
const joiner = '\u2060'

/**
 * Returns the sentences of a text, which are the text if joined. Above the maximum, each one has several
 * sentences.
 */
export function toSentences(text: string, max: number): string[] {
  const masked = text.replace(citationMarker, (marker) => joiner.repeat(marker.length))
  const ends: number[] = []
  let [last, end] = ['', 0]
  let isWordless = false
  for (const segment of toSegments(masked)) {
    const isContinued: boolean = ends.length > 0 && (isWordless || isPart(last, segment))
    if (isContinued) ends.pop()
    end += segment.length
    ends.push(end)
    isWordless = (isWordless || !isContinued) && !hasWords(segment)
    last = segment
  }
  const sentences = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end))
  return inGroups(sentences, Math.ceil(sentences.length / max))
}

/** The time of the segmenter can grow with the square of a line. */
const maxLine = 5_000

function* toSegments(text: string): Generator<string> {
  for (const line of text.split(/(?<=\n)/))
    for (let at = 0; at < line.length; at += maxLine)
      for (const { segment } of segmenter.segment(line.slice(at, at + maxLine)))
        yield segment
}

/** The segmenter also ends sentences at blank lines, after "1." of a list, "Dr." and "z. B.". */
function isPart(before: string, segment: string): boolean {
  const isNewLine = before.endsWith('\n')
  if (!hasWords(segment)) return !(isNewLine && listNumber.test(segment))
  return !isNewLine && (abbreviation.test(before) || isNumbered(before, segment))
}

const hasWords = (segment: string) =>
  !listNumber.test(segment) && /[\p{L}\p{N}]/u.test(segment)

const listNumber = /^\s*\d{1,3}[.)]\s*$/
const titles = 'dr|mr|mrs|ms|prof|st|sr|sra|mme|bzw|ca|vs|approx|inkl|incl|zzgl|vgl'
const abbreviation = new RegExp(`(?:^|[\\s(.])(?:\\p{L}|${titles})\\.\\s*$`, 'iu')

/** "No. 4", "Nr. 7". */
const isNumbered = (before: string, segment: string) =>
  /(?:^|\s)\p{L}{1,4}\.\s*$/u.test(before) && /^\p{N}/u.test(segment)

const inGroups = (sentences: string[], size: number): string[] =>
  size <= 1
    ? sentences
    : Array.from({ length: Math.ceil(sentences.length / size) }, (_, at) =>
        sentences.slice(at * size, (at + 1) * size).join(''),
      )
