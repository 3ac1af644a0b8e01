// Suggests the name that an author probably meant.

/** Comparing names is slow. */
const maxNames = 1000

/**
 * Returns the name with the fewest changes of characters, at most a third of the name; otherwise null.
 * Compares with the first 1000 names.
 */
export function closestName(wrong: string, names: Iterable<string>): string | null {
  let [best, distance] = [
    null as string | null,
    Math.max(1, Math.floor(wrong.length / 3)) + 1,
  ]
  let compared = 0
  for (const name of names) {
    if (++compared > maxNames) break
    if (Math.abs(name.length - wrong.length) >= distance) continue
    const found = changesBetween(wrong.toLowerCase(), name.toLowerCase())
    if (found < distance) [best, distance] = [name, found]
  }
  return best
}

/** Counts inserted, deleted, replaced and swapped characters (optimal string alignment). */
function changesBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwapped =
        i > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwapped ? rows[i - 2]![j - 2]! + 1 : replaced
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped))
    }
    rows.push(row)
  }
  return rows[one.length]![other.length]!
}
