// A text with marked words.
import { Fragment } from 'react'

const isWord = /[\p{L}\p{N}\p{M}]+/gu

/** Returns the words of a search. */
export const toWords = (text: string): string[] => text.match(isWord) ?? []

const contextLength = 24

/** Begins a line shortly before its first marked word, so that the word is visible. */
export function fromFirstMark(text: string, isMarked: (word: string) => boolean): string {
  const first = [...text.matchAll(isWord)].find(([word]) => isMarked(word))?.index ?? 0
  if (first <= 2 * contextLength) return text
  return `… ${text.slice(text.indexOf(' ', first - contextLength) + 1)}`
}

interface MarkedTextProps {
  text: string
  isMarked: (word: string) => boolean
}

export function MarkedText({ text, isMarked }: MarkedTextProps) {
  // Odd parts are words.
  return text.split(/([\p{L}\p{N}\p{M}]+)/u).map((part, index) =>
    index % 2 === 1 && isMarked(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
      <mark key={index}>{part}</mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}

/** Without accents and case, as searches compare words. */
export const plain = (word: string) =>
  word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Returns whether a search for messages matches a word; its last word may be incomplete. */
export function toMatcher(search: string): (word: string) => boolean {
  const words = toWords(search).map(plain)
  const last = words.at(-1)
  return (word) => {
    const compared = plain(word)
    return words.includes(compared) || (last !== undefined && compared.startsWith(last))
  }
}
