// Resolves the entities that schemas of packages refer to by `$ref`. Pure.
import { ApiError } from '@botstead/contract'
import type { JsonSchema } from '../../compute/index.ts'

/** Returns the schema for a reference, or null if it does not refer to an entity. */
type FindReferred = (ref: string) => JsonSchema | null

/**
 * Limit of characters that entities may add to a package's schemas: a few nested references could
 * expand to gigabytes.
 */
const maxAdded = 2_000_000

/**
 * Returns a function that replaces references with entities. It throws InvalidJsonSchema past the
 * limit.
 */
export function createResolver(find: FindReferred): (schema: JsonSchema) => JsonSchema {
  let added = 0
  const referred = (ref: unknown): JsonSchema | null => {
    const found = typeof ref === 'string' ? find(ref) : null
    if (found) added += JSON.stringify(found).length
    if (added > maxAdded)
      throw new ApiError(
        'InvalidJsonSchema',
        'The schemas are too large with all entities that they refer to',
      )
    return found
  }
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const resolved = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, resolve(inner)]),
    )
    const entity = Object.hasOwn(resolved, '$ref') ? referred(resolved.$ref) : null
    if (!entity) return resolved
    const { $ref: _entity, ...beside } = resolved
    return { ...beside, ...entity }
  }
  return (schema) => resolve(schema) as JsonSchema
}

/** Maps entries, since authors choose the names. */
export const mapEach = <T>(
  input: Record<string, T>,
  change: (one: T) => T,
): Record<string, T> =>
  Object.fromEntries(Object.entries(input).map(([name, one]) => [name, change(one)]))
