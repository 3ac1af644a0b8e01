// Merges changes of objects key by key: given keys are set, null removes, absent keys stay. Authors
// choose the keys, so no code here may access a prototype.

/**
 * Sets given keys and removes null ones. Uses a Map, because a key may have the name of an
 * inherited property.
 */
export function mergeKeys<T, C>(
  now: Record<string, T>,
  change: Record<string, C | null> | undefined,
  merge: (input: C, before: T | undefined) => NoInfer<T>,
): Record<string, T> {
  const merged = new Map(Object.entries(now))
  for (const [key, input] of Object.entries(change ?? {})) {
    if (input === null) merged.delete(key)
    else merged.set(key, merge(input, merged.get(key)))
  }
  return Object.fromEntries(merged)
}

/** Keeps only the given fields with these names. */
export const replacing =
  (names: string[]) =>
  <T>(input: object): T =>
    pick(input, names) as T

/** For events and actions: replaces each given field and merges the attributes. */
export const merging =
  (names: string[]) =>
  <T extends { attributes?: Record<string, string> }>(
    input: object,
    before: T | undefined,
  ): T => {
    const attributes =
      'attributes' in input
        ? (input.attributes as Record<string, string | null>)
        : undefined
    const merged = { ...before, ...pick(input, names) } as T
    return before?.attributes || attributes
      ? {
          ...merged,
          attributes: mergeKeys(before?.attributes ?? {}, attributes, (value) => value),
        }
      : merged
  }

const pick = (from: object, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
