// Normalizes words identically for the index and for searches, in any language, before PostgreSQL
// stems them.
import { foldLetters } from '@botstead/flows/folding'

/** PostgreSQL limits the positions of a passage, and its lexemes to a megabyte. */
const maxCharacters = 100_000

/**
 * Returns lower-case words separated by one space. Removes accents from Latin and Greek letters.
 * Keeps identifiers (createMessage, file_id) whole and adds their parts. In scripts without spaces,
 * each pair of adjacent characters is a word.
 */
export function searchableText(text: string): string {
  return foldLetters(text.slice(0, maxCharacters))
    .replace(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu,
      pairs,
    )
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .replace(/\p{L}[\p{L}\p{N}]*/gu, withParts)
    .trim()
    .toLowerCase()
}

/** Looks into whole words: a pattern for names alone takes quadratic time in a long word. */
const withParts = (word: string) =>
  /\p{Ll}\p{Lu}/u.test(word) ? `${word} ${word.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')}` : word

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

export const searchableWords = (searchable: string) =>
  searchable === '' ? [] : searchable.split(' ')

/** Returns whether a word can be the target of spelling correction. */
export const isSpelt = (word: string) => /^[\p{L}\p{M}]{4,40}$/u.test(word)
