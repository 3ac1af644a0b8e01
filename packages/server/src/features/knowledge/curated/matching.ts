// Finds the curated answer to a question. A wrong answer is worse than none: it matches only the same
// question, that is the same words, the same words that carry the meaning in any form, or one of these
// with a misspelling. Vectors do not decide: for them, a question and its negation are nearly equal, and
// two countries are nearer than two wordings (docs/files-and-knowledge.md).
import { findFunctionWords } from './function-words.ts'
import { isExchange, isMisspelling, isShortMisspelling } from './misspellings.ts'
import type { Question } from './questions.ts'

/** A question of a curated answer. */
export interface KnownQuestion extends Question {
  answerId: string
  text: string
  /** The stems of `content`. */
  stems: string[]
}

/** A question of a person, as its words in one language. */
export interface AskedQuestion extends Question {
  stems: string[]
}

type MatchKind = 'equal' | 'words' | 'misspelt'

export interface QuestionMatch {
  question: KnownQuestion
  kind: MatchKind
}

export interface KnownQuestions {
  /** In the order of precedence: the answer changed last is first. */
  all: KnownQuestion[]
  byText: Map<string, KnownQuestion[]>
  byStems: Map<string, KnownQuestion[]>
  /** All words of the questions: none of them is a misspelling. */
  vocabulary: Set<string>
}

const textKey = ({ words }: Pick<Question, 'words'>) => words.join(' ')
const stemsKey = ({ language, stems }: Pick<KnownQuestion, 'language' | 'stems'>) =>
  `${language} ${[...stems].sort().join(' ')}`

export function toKnownQuestions(all: KnownQuestion[]): KnownQuestions {
  return {
    all,
    byText: grouped(all, textKey),
    byStems: grouped(all, stemsKey),
    vocabulary: new Set(all.flatMap(({ words }) => words)),
  }
}

function grouped<Item>(
  items: Item[],
  getKey: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(getKey(item))
    if (group) group.push(item)
    else groups.set(getKey(item), [item])
  }
  return groups
}

type IsUsable = (question: KnownQuestion) => boolean

export function matchText(
  { byText }: KnownQuestions,
  asked: Pick<Question, 'words'>,
  isUsable: IsUsable,
): QuestionMatch | null {
  if (asked.words.length === 0) return null
  const question = byText.get(textKey(asked))?.find(isUsable)
  return question ? { question, kind: 'equal' } : null
}

export function matchWords(
  { byStems }: KnownQuestions,
  asked: AskedQuestion,
  isUsable: IsUsable,
): QuestionMatch | null {
  if (asked.stems.length === 0) return null
  const question = byStems
    .get(stemsKey(asked))
    ?.find((known) => isUsable(known) && isSameSense(known, asked, asked.stems))
  return question ? { question, kind: 'words' } : null
}

interface MisspeltMatch extends QuestionMatch {
  /** The words that were taken for misspellings. */
  typed: string[]
}

/** Returns null if the questions of two answers come into question. */
export function matchMisspelt(
  { all, vocabulary }: KnownQuestions,
  asked: AskedQuestion,
  isUsable: IsUsable,
  wordList: Set<string> | null,
): MisspeltMatch | null {
  const spelling: Spelling = {
    isWord: (word) => vocabulary.has(word) || (wordList?.has(word) ?? false),
    hasWordList: wordList !== null,
  }
  const found = all.flatMap((question) => {
    if (question.language !== asked.language || !isUsable(question)) return []
    const typed = findMisspelt(asked, question, spelling)
    return typed ? [{ question, typed, kind: 'misspelt' as const }] : []
  })
  const [first] = found
  const isOne = found.every(
    ({ question }) => question.answerId === first?.question.answerId,
  )
  return first && isOne ? first : null
}

/** The same person asks, and the order is the same where it matters. */
function isSameSense(
  known: KnownQuestion,
  asked: AskedQuestion,
  stems: string[],
): boolean {
  if (known.person && asked.person && known.person !== asked.person) return false
  if (!known.isOrdered && !asked.isOrdered) return true
  return known.stems.join(' ') === stems.join(' ')
}

interface Spelling {
  isWord: (word: string) => boolean
  hasWordList: boolean
}

/** Returns the misspelt words of a question that is otherwise the same; null for another question. */
function findMisspelt(
  asked: AskedQuestion,
  known: KnownQuestion,
  spelling: Spelling,
): string[] | null {
  const missing = known.stems.map((stem, at) => ({ stem, word: known.content[at]! }))
  const stems = asked.stems.map((stem) => {
    const same = missing.findIndex((one) => one.stem === stem)
    return same < 0 ? undefined : missing.splice(same, 1)[0]!.stem
  })
  const { questions } = findFunctionWords(asked.language)
  const misspelt = missing.filter(({ word }) => !questions.has(word))
  if (misspelt.length > maxMisspelt(known.stems.length)) return null
  const typed: string[] = []
  const corrected: string[] = []
  for (const [at, stem] of stems.entries()) {
    const word = asked.content[at]!
    const meant =
      stem === undefined ? findMeant(word, missing, asked.language, spelling) : stem
    if (meant === null) return null
    if (stem === undefined) typed.push(word)
    if (meant !== '') corrected.push(meant)
  }
  const isSame = typed.length > 0 && missing.length === 0
  return isSame && isSameSense(known, asked, corrected) ? typed : null
}

/** Of the words that carry the meaning, as many may be misspelt, beside question words. */
const maxMisspelt = (count: number) => (count <= 3 ? 1 : 2)

/**
 * Takes the word that `typed` misspells out of the missing ones, and returns its stem; an empty text for
 * a function word; null for any other word.
 */
function findMeant(
  typed: string,
  missing: { stem: string; word: string }[],
  language: string,
  { isWord, hasWordList }: Spelling,
): string | null {
  if (isWord(typed) && !rareWords.has(typed)) return null
  const { words, questions } = findFunctionWords(language)
  const at = missing.findIndex(
    ({ word }) =>
      (questions.has(word) && isShortMisspelling(typed, word)) ||
      isMisspelling(typed, word, hasWordList),
  )
  if (at >= 0) return missing.splice(at, 1)[0]!.stem
  return [...words].some((word) => word.length >= 3 && isExchange(typed, word))
    ? ''
    : null
}

/** Words of dictionaries that are misspellings in questions. */
const rareWords = new Set(['wen', 'wat', 'hwo', 'wich'])
