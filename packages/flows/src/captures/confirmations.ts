// Reads yes and no: one word, several words of one meaning, or a sentence that begins with one.
import { lazily } from '../lazily.ts'
import { isNegated } from './negations.ts'
import { plain } from './words.ts'

const yes = ['yes', 'y', 'yeah', 'yep', 'true', 'on', '1', 'ja', 'oui', 'si', 'sim']
const no = ['no', 'n', 'nope', 'nah', 'false', 'off', '0', 'nein', 'non', 'nao']
const agreed = [
  ...['ok', 'okay', 'sure', 'of course', 'correct', 'right', 'confirm', 'confirmed', 'i confirm'],
  ...['absolutely', 'agreed', 'go ahead', '👍', '✅', '✔', '👌', '🆗'],
]
const refused = [
  ...['cancel', 'wrong', 'incorrect', 'not really', 'never', 'don t', 'do not', 'rather not'],
  ...['👎', '❌', '✖', '🚫'],
]

const courtesies =
  /(?<= )(?:well|oh|please|thanks|thank you|bitte|danke|por favor|merci|gracias|obrigad[oa]|grazie)(?= )/g

const toMap = (positive: string[], negative: string[]) =>
  lazily(
    () =>
      new Map<string, boolean>([
        ...positive.map((word) => [plain(word), true] as const),
        ...negative.map((word) => [plain(word), false] as const),
      ]),
  )

const booleans = toMap(yes, no)
const confirmations = toMap([...yes, ...agreed], [...no, ...refused])
const longestPhrase = 3

/** Words that count only beside a yes or no: "no, continue", "yes, forget it". */
const statements = toMap(
  [...yes, ...agreed, 'agree', 'continue', 'proceed', 'do it', 'do that', 'do .'],
  [...no, ...refused, 'stop', 'abort', 'forget it', 'forget that'],
)

/** "Don't cancel" is not a refusal. */
const reversed = / (?:not|never|don t) (?:cancel|wrong|incorrect) /

/** Returns the meanings of all phrases of a text, or undefined if it has other words. */
function meaningsOf(words: string[], truths: Map<string, boolean>): boolean[] | undefined {
  const meanings: boolean[] = []
  for (let at = 0; at < words.length; ) {
    const phrase = [longestPhrase, 2, 1].find((length) =>
      truths.has(words.slice(at, at + length).join(' ')),
    )
    if (phrase === undefined) return undefined
    meanings.push(truths.get(words.slice(at, at + phrase).join(' '))!)
    at += phrase
  }
  return meanings
}

const onlyOne = (meanings: boolean[] = []) =>
  new Set(meanings).size === 1 ? meanings[0] : undefined

const wordsOf = (text: string) =>
  ` ${plain(text)} `
    .replace(courtesies, '')
    .split(' ')
    .filter((word) => word !== '')

export const booleanIn = (text: string) => onlyOne(meaningsOf(wordsOf(text), booleans()))

/**
 * Also reads words of agreement ("sure"), and longer answers by their first words ("yes, that is
 * right") unless the others contradict them ("yes, but not today").
 */
export function confirmationIn(text: string): boolean | undefined {
  const words = wordsOf(text)
  if (reversed.test(` ${words.join(' ')} `)) return undefined
  const meanings = meaningsOf(words, confirmations())
  if (meanings) return onlyOne(meanings)
  const [first = '', ...others] = text.split(/[,.;!\n，。、؛،！]/u)
  const answer = booleans().get(wordsOf(first).join(' '))
  const rest = wordsOf(others.join(' '))
  return answer === undefined || contradicts(answer, rest) ? undefined : answer
}

/** Words that mean yes or no only alone. */
const otherMeanings = new Set(['on', 'off', '1', '0', 'y', 'n'])

/** After a "no", the words of agreement count unless a negation stands before them. */
function contradicts(answer: boolean, rest: string[]): boolean {
  const words = [...rest, '.']
  const isOpposite = (_: string, at: number) => {
    const phrases = [3, 2, 1].map((length) => words.slice(at, at + length).join(' '))
    const phrase = phrases.find((one) => statements().has(one)) ?? ''
    return (
      statements().get(phrase) === !answer &&
      !otherMeanings.has(phrase) &&
      (answer || !isNegated(rest.slice(0, at).join(' ')))
    )
  }
  return rest.some(isOpposite) || (answer && isNegated(rest.join(' ')))
}
