// Reads a question for comparison: its words, those that carry its meaning, and the persons in it.
import { detectLanguage, plainText, searchableWords } from '@botstead/extraction'
import {
  type FunctionWords,
  findFunctionWords,
  findLanguageCode,
  languageOfWords,
} from './function-words.ts'

export interface Question {
  language: string
  /** All words, without case, accents and punctuation. */
  words: string[]
  /** The words that carry the meaning, in their order. */
  content: string[]
  /** "Can I call you?" and "Can you call me?" have the same other words. */
  person: 'first' | 'second' | null
  /** Whether the order of the words changes the meaning. */
  isOrdered: boolean
}

/** Returns the person that the question names first. */
function findPerson(
  words: string[],
  { first, second }: Pick<FunctionWords, 'first' | 'second'>,
): Question['person'] {
  const person = words.find((word) => first.has(word) || second.has(word))
  if (person === undefined) return null
  return first.has(person) ? 'first' : 'second'
}

const maxQuestionLength = 1_000

export function readQuestion(text: string, language: string): Question {
  const lists = findFunctionWords(language)
  const words = toWords(text)
  const spoken = language === 'english' ? withoutWhatIs(words) : words
  return {
    language,
    words,
    content: spoken.filter((word) => !lists.words.has(word)),
    person: findPerson(words, lists),
    isOrdered:
      lists.ordering.size <= 1 ||
      words.some((word) => lists.ordering.has(word)) ||
      words.filter((word) => /\p{N}/u.test(word)).length > 1,
  }
}

/** Returns the words for the comparison of whole texts. */
export const toWords = (text: string): string[] =>
  searchableWords(
    plainText(withoutContractions(text.slice(0, maxQuestionLength).toLowerCase())),
  )

/** Returns `simple` for a language that the words do not tell. */
export const languageOfQuestion = async (text: string): Promise<string> =>
  languageOfWords(toWords(text)) ?? (await detectLanguage(text))

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Returns a code such as `de`, or null for a language that the words do not tell. */
export async function detectLanguageCode(text: string): Promise<string | null> {
  const question = text.slice(0, maxQuestionLength)
  if (kana.test(question)) return 'ja'
  return findLanguageCode(await languageOfQuestion(question)) ?? null
}

const auxiliaries = 'do|does|did|is|are|was|were|have|has|had|would|could|should|must'
const contractions: [RegExp, string][] = [
  [/[’‘`´]/g, "'"],
  [/\b(?:cannot|can't|cant)\b/g, 'can not'],
  [/\b(?:won't|wont)\b/g, 'will not'],
  [new RegExp(`\\b(${auxiliaries})n'?t\\b`, 'g'), '$1 not'],
  [/\b(what|where|when|who|how|why|there|that|it)'?s\b(?<!\bits)/g, '$1 is'],
  [/'re\b/g, ' are'],
  [/'m\b/g, ' am'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'d\b/g, ' would'],
]

/** English: "isn't" contains a negation, which must count. */
const withoutContractions = (text: string) =>
  contractions.reduce((changed, [form, words]) => changed.replace(form, words), text)

const determiners = new Set('the your my our a an its this that'.split(' '))

/** "What are your opening hours?" is the same as "Your opening hours?"; "What do you deliver?" is not. */
function withoutWhatIs(words: string[]): string[] {
  const [what, is = '', determiner = ''] = words
  const isRemovable =
    what === 'what' && /^(?:is|are)$/.test(is) && determiners.has(determiner)
  return isRemovable ? words.slice(2) : words
}
