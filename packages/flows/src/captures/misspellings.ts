// Finds names that an answer misspells or begins: "choclate", "vanil".
import { booleanIn } from './confirmations.ts'
import { isNegated } from './negations.ts'

/** In other scripts, one character is a syllable or a word. */
const alphabetic = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u
const [minMisspelt, minBeginning] = [5, 3]

/**
 * Returns whether normalized words name something with one error in each longer word, or with other spaces,
 * or begin its name.
 */
export const isMisspelt = (answer: string, name: string): boolean =>
  isBeginning(answer, name) ||
  hasOneErrorPerWord(answer.split(' '), name.split(' ')) ||
  hasOtherSpaces(answer, name)

/** The rest of the name must not negate its beginning. */
function isBeginning(answer: string, name: string): boolean {
  const isOwnWord = isNegated(answer) || booleanIn(answer) !== undefined
  const isLong = answer.length >= minBeginning && /^\p{L}/u.test(answer)
  const others = name.slice(answer.length).replace(/^\S+/, '')
  return isLong && !isOwnWord && name.startsWith(answer) && !isNegated(others)
}

/** "checkin" is "check-in"; but "1 23" is not "12 3". */
function hasOtherSpaces(answer: string, name: string): boolean {
  const joined = answer.replaceAll(' ', '')
  return (
    joined.length >= minMisspelt &&
    /^\p{L}+$/u.test(joined) &&
    joined === name.replaceAll(' ', '')
  )
}

const hasOneErrorPerWord = (answer: string[], name: string[]) =>
  answer.length === name.length &&
  answer.every((word, at) => word === name[at] || isOneEdit(word, name[at]!))

/** The first letter is rarely wrong, and often another word: "moral" and "amoral". */
function isOneEdit(word: string, other: string): boolean {
  if (!alphabetic.test(word) || !alphabetic.test(other) || word[0] !== other[0])
    return false
  if (other.length < minMisspelt) return false
  let start = 0
  while (start < word.length && word[start] === other[start]) start++
  const [left, right] = [word.slice(start), other.slice(start)]
  const isSwapped =
    left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
  return (
    isSwapped ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    left.slice(1) === right.slice(1)
  )
}
