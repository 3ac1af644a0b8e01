// Normalizes words identically for the index and for searches, in any language, before PostgreSQL
// stems them.
import { foldLetters, withAsciiDigits } from '@botstead/flows/folding'
import { groupTokens, listSpellings } from './code-words.ts'

/** PostgreSQL limits the positions of a passage, and its lexemes to a megabyte. */
const maxCharacters = 100_000

/** Grows when files get other passages or words: then those from before get theirs again (word-refill.ts). */
export const wordsVersion = 3

/**
 * Returns lower-case words separated by one space. Removes accents from Latin and Greek letters, and marks
 * of vowels from Arabic and Hebrew ones. Keeps identifiers (createMessage, file_id) whole and adds their
 * parts. In scripts without spaces, and in Korean with its particles, each pair of adjacent characters is
 * a word. Other spellings of codes follow at the end.
 */
export function searchableText(text: string): string {
  const words = spaced(text)
  return [plainWords(words), ...listSpellings(words)].join(' ').trim()
}

/** Returns the words of a text without other spellings of its codes. */
export const plainText = (text: string): string => plainWords(spaced(text))

/** A word of a search. A code has parts that a text may separate or join in any way. */
export interface SearchWord {
  parts: string[]
  /** What each part counts, from 0 to 1; without it, equal shares. */
  weights?: number[]
  /** The parts of a code in one word. */
  joined: string | null
}

/** Returns the words to search for. */
export const searchWords = (query: string): SearchWord[] => [
  ...unspacedWords(query),
  ...koreanWords(query),
  ...spacedWords(query.replace(unspaced, ' ').replace(korean, ' ')),
]

const spacedWords = (query: string): SearchWord[] =>
  groupTokens(spaced(query)).flatMap(({ parts, joined }): SearchWord[] =>
    joined === null
      ? parts.flatMap((part) =>
          searchableWords(plainWords(part)).map((word) => ({ parts: [word], joined })),
        )
      : [
          {
            parts: parts.map((part) => part.toLowerCase()),
            joined: joined.toLowerCase(),
          },
        ],
  )

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
/** Particles and endings of Japanese; the other words of this alphabet are few. */
const isSmall = (word: string) => /^[\p{Script=Hiragana}ー]{1,4}$/u.test(word)

/** The words of scripts without spaces, each as pairs of characters: without particles, if others are left. */
function unspacedWords(query: string): SearchWord[] {
  const runs = query.slice(0, maxCharacters).normalize('NFKC').match(unspaced) ?? []
  const words = runs.flatMap((run) =>
    [...segmenter.segment(run)].map(({ segment }) => segment),
  )
  const content = words.filter((word) => !isSmall(word) && [...word].length > 1)
  return (content.length > 0 ? content : runs).map((word) => ({
    parts: [
      ...new Set(searchableWords(spaced(word).trim().replace(/\s+/g, ' ').toLowerCase())),
    ],
    joined: null,
  }))
}

/** Question words, and forms of "be", "do" and "want", which say nothing about the subject. */
const isSmallInKorean = (word: string) =>
  /^(?:어디|언제|무엇|무슨|누구|누가|어느|어떤|어떻게|어때|얼마|왜|몇|있[나는습어]|싶[습어]|주[세시]|해[요주]|[합됩입]니)/u.test(
    word,
  ) ||
  /^(?:수|것|좀|저|제|저는|제가|하나요|하는|하면|할까요|되나요|되는|인가요|이에요|예요)$/u.test(
    word,
  )

/**
 * Korean words as pairs of syllables, without small ones, if others are left. They begin with what they mean;
 * particles and endings follow.
 */
function koreanWords(query: string): SearchWord[] {
  const words = query.slice(0, maxCharacters).normalize('NFKC').match(korean) ?? []
  const content = words.filter((word) => !isSmallInKorean(word))
  return (content.length > 0 ? content : words).map((word) => {
    const parts = [...new Set(searchableWords(spaced(word).trim().replace(/\s+/g, ' ')))]
    return {
      parts,
      weights: parts.map((_, at) => (at === 0 ? 1 : endingCounts)),
      joined: null,
    }
  })
}
const endingCounts = 0.3

const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const unspaced = new RegExp(
  `[\\u30fc${unspacedScripts.map((name) => `\\p{Script=${name}}`).join('')}]+`,
  'gu',
)

const korean = /\p{Script=Hangul}+/gu

/** Folds letters, and separates the pairs of scripts without spaces. ASCII has nothing of either. */
function spaced(text: string): string {
  const start = text.slice(0, maxCharacters)
  if (isAscii(start)) return start
  return withAsciiDigits(
    foldLetters(
      start.replace(/\u00ad|\u0640|[\u200b\u200e\u200f]|\u200d|\u2060|\ufeff/g, ''),
    ),
  )
    .replace(unspaced, pairs)
    .replace(korean, (word) => pairs(word) + koreanStem(word))
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

function plainWords(text: string): string {
  const words = text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
  const hasNames = /\p{Ll}\p{Lu}/u.test(words)
  return (
    hasNames ? words.replace(/\p{L}[\p{L}\p{N}]*/gu, withParts) : words
  ).toLowerCase()
}

/** Looks into whole words: a pattern for names alone takes quadratic time in a long word. */
const withParts = (word: string) =>
  /\p{Ll}\p{Lu}/u.test(word)
    ? `${word} ${word.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')}`
    : word

function pairs(run: string): string {
  const letters = [...run]
  return ` ${
    letters.length === 1
      ? run
      : letters
          .slice(1)
          .map((letter, at) => letters[at] + letter)
          .join(' ')
  } `
}

/** A word of two syllables may be a noun of one with a particle. */
const koreanStem = (word: string) => ([...word].length === 2 ? `${[...word][0]} ` : '')

export const searchableWords = (searchable: string) =>
  searchable === '' ? [] : searchable.split(' ')

/** Returns whether a word can be the target of spelling correction. */
export const isSpelt = (word: string) => /^[\p{L}\p{M}]{4,40}$/u.test(word)
