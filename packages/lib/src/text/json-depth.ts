// The nesting of JSON that can be stored.

/**
 * Maximum nesting of stored objects and arrays; JSON.stringify and PostgreSQL fail somewhere beyond
 * it.
 */
export const maxJsonDepth = 64

/** Returns whether objects and arrays are nested deeper than this. */
export const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)))
