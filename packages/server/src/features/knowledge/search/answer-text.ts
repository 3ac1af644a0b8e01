// Finds the part of a passage that answers a question: the sentences with most of its words, the row of a
// table, or the list with its introduction.
import type { Subtype } from '@botstead/extraction'

/** Texts up to this length are answers as a whole. */
const maxWhole = 200
const maxList = 600
/** Sentences count as equally good from this share of the best one. */
const equallyGood = 0.75

interface PassageText {
  subtype: Subtype
  body: string
}

/** Returns the value of a text's words for the question; 0 without any. */
export type Rating = (text: string) => number

export function toAnswerText({ subtype, body }: PassageText, rate: Rating): string {
  if (subtype === 'table' || subtype === 'code' || body.length <= maxWhole) return body
  if (subtype === 'list') return body.length <= maxList ? body : bestLines(body, rate)
  return pickBest(toSentences(body), rate).join(' ')
}

/** Keeps the first line, which introduces the list, or is its first item. */
function bestLines(body: string, rate: Rating): string {
  const [first, ...lines] = body.split('\n')
  return [first!, ...pickBest(lines, rate)].join('\n')
}

/** Returns the best parts in their order; the first ones if none has a word of the question. */
function pickBest(parts: string[], rate: Rating): string[] {
  const values = parts.map(rate)
  const best = Math.max(...values)
  if (best > 0) return parts.filter((_, at) => values[at]! >= best * equallyGood)
  let length = 0
  return parts.filter((part, at) => {
    length += part.length
    return at === 0 || length <= maxList
  })
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

function toSentences(text: string): string[] {
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(text)) {
    const last = sentences.at(-1)
    // "e.g. nuts", "9 a.m. to 5 p.m.", "No. 4": the segmenter ends sentences within.
    if (
      last &&
      /(?:^|[\s(])(?:\p{L}{1,3}|\p{L}\.\p{L})\.\s*$/u.test(last) &&
      !/\n\s*$/.test(last)
    )
      sentences[sentences.length - 1] += segment
    else sentences.push(segment)
  }
  return sentences.map((one) => one.trim()).filter((one) => one !== '')
}

const amountQuestion = new RegExp(
  [
    '\\bhow (?:much|many|long|old|far|often|late|early|soon|big|large|high)\\b|\\bwhen\\b|what time|\\b(?:price|cost|fee)s?\\b',
    '\\bwann\\b|\\bwie (?:viel|lange|alt|oft|teuer|weit|hoch|spät|groß)|\\bwieviel|\\bkoste[tn]?\\b|\\buhrzeit\\b|\\bpreise?\\b',
    'cu[aá]nt[oa]s?\\b|cu[aá]ndo\\b|qu[eé] hora|\\bprecios?\\b|\\bcuestan?\\b',
    '\\bcombien\\b|\\bquand\\b|quelle heure|\\bprix\\b|\\btarifs?\\b',
    '\\bquant[oaie]\\b|\\bquando\\b|che ora|\\bhoeveel\\b|\\bwanneer\\b|hoe (?:lang|laat|duur)|quantos?\\b',
    'いくら|何時|いつ|何日|何分|料金|値段',
  ].join('|'),
  'iu',
)
const hasAmount =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|half|free|included|daily|weekly|monthly|always|never|\p{L}+day|(?:a|an|one) (?:hour|week|month|year)|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|dreißig|kostenlos|gratis|täglich|dos|tres|cuatro|cinco|siete|diez|treinta|deux|trois|quatre|cinq|sept|dix|trente|gratuite?)\b|[一二三四五六七八九十無料]/iu

export const asksForAmount = (question: string): boolean => amountQuestion.test(question)

/** Whether a text lacks the number, time or price that the question asks for. */
export const lacksAmount = (question: string, text: string): boolean =>
  asksForAmount(question) && !hasAmount.test(text)
