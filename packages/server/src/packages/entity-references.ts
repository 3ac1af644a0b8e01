// Schemas of packages name entities by `$ref`, of which the schemas stand elsewhere. Pure.
import { ApiError } from '@botstead/contract'
import type { JsonSchema } from '../lib/json-schemas.ts'

/** The schema that a reference stands for; null for one that is not about an entity. */
export type FindReferred = (ref: string) => JsonSchema | null

/** Characters that entities may add to all schemas of a package together: a few small references could ask for gigabytes. */
const mostAdded = 2_000_000

/** Puts entities in place of references, in one schema after another. Throws InvalidJsonSchema for what would become too large. */
export function resolver(find: FindReferred): (schema: JsonSchema) => JsonSchema {
  let added = 0
  const referred = (ref: unknown): JsonSchema | null => {
    const found = typeof ref === 'string' ? find(ref) : null
    if (found) added += JSON.stringify(found).length
    if (added > mostAdded)
      throw new ApiError(
        'InvalidJsonSchema',
        'With all entities that they refer to, the schemas are too large',
      )
    return found
  }
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const resolved = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]))
    const entity = Object.hasOwn(resolved, '$ref') ? referred(resolved.$ref) : null
    if (!entity) return resolved
    const { $ref: _entity, ...beside } = resolved
    return { ...beside, ...entity }
  }
  return (schema) => resolve(schema) as JsonSchema
}

/** By entries, since names are the author's words. */
export const mapped = <T>(given: Record<string, T>, change: (one: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([name, one]) => [name, change(one)]))
