// Decides whether a word is a misspelling of another. A real word never is one: "parking" and "packing"
// differ by one letter, too.

/**
 * Returns whether `typed` looks like `meant` with a mistake: neighbouring letters exchanged, a letter too
 * much, missing or wrong, in a long word two of these. The caller has made sure that `typed` is no word.
 * Without a list of the words of the language, only mistakes that hardly ever make another word count.
 */
export function isMisspelling(
  typed: string,
  meant: string,
  hasWordList: boolean,
): boolean {
  if (typed === meant || !/^[\p{L}\p{M}]+$/u.test(typed + meant)) return false
  const length = Math.min(typed.length, meant.length)
  if (length >= 4 && single(typed) === single(meant)) return true
  if (isExchange(typed, meant)) return length >= (hasWordList ? 4 : 5)
  if (!hasWordList || typed[0] !== meant[0]) return false
  const distance = measureDistance(typed, meant)
  if (length >= 9) return distance <= 2
  return distance === 1 && length >= (typed.length === meant.length ? 5 : 3)
}

/** A misspelling of a short word that everybody knows: "wehn", "wen", "yuo". */
export const isShortMisspelling = (typed: string, meant: string): boolean =>
  typed.length >= 3 &&
  (isExchange(typed, meant) ||
    (typed[0] === meant[0] &&
      meant.length === typed.length + 1 &&
      measureDistance(typed, meant) === 1))

/** Whether two neighbouring letters are exchanged. */
export function isExchange(typed: string, meant: string): boolean {
  if (typed.length !== meant.length) return false
  const at = [...typed].findIndex((letter, index) => letter !== meant[index])
  return (
    at >= 0 &&
    typed[at] === meant[at + 1] &&
    typed[at + 1] === meant[at] &&
    typed.slice(at + 2) === meant.slice(at + 2)
  )
}

/** Doubled letters are the most frequent mistakes. */
const single = (word: string) => word.replace(/(.)\1+/gu, '$1')

const maxDistance = 3

/** The number of mistakes (optimal string alignment), up to 3. */
function measureDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) >= maxDistance) return maxDistance
  let [before, row]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, n) => n),
  ]
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwap =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (isSame ? 0 : 1),
        isSwap ? before[j - 2]! + 1 : maxDistance,
      )
    }
    before = row
    row = next
  }
  return Math.min(row[other.length]!, maxDistance)
}
