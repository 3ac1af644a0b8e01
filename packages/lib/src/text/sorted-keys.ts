/**
 * Returns JSON with the keys of all objects in order: equal for values that differ in the order of
 * their keys only, which databases and clients change.
 */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inside]) => [key, withSortedKeys(inside)]),
  )
}
