// Compares the spelling of words.

/**
 * Returns the share of equal letters if one letter is missing, added, wrong or swapped with the next; two in
 * words of eight letters or more. Else 0.
 */
export function spellingLikeness(word: string, other: string): number {
  const distance = editDistance(word, other)
  const allowed = Math.min(word.length, other.length) >= 8 ? 2 : 1
  return distance > allowed ? 0 : 1 - distance / Math.max(word.length, other.length)
}

/** Returns the word with each two neighbours swapped, the most frequent typing error. */
export const listSwaps = (word: string): string[] =>
  Array.from(
    { length: Math.max(word.length - 1, 0) },
    (_, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  )

/** Counts insertions, deletions, substitutions and swaps of neighbours. Words have at most 40 letters. */
function editDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const best = [
        row[j - 1]! + 1,
        rows[i - 1]![j]! + 1,
        rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
      ]
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        best.push(rows[i - 2]![j - 2]! + 1)
      row.push(Math.min(...best))
    }
    rows.push(row)
  }
  return rows[one.length]![other.length]!
}
