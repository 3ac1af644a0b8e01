// Validates values against schemas of tenants: here if it takes some milliseconds, as it almost always
// does, otherwise in another thread.
import { createHash } from 'node:crypto'
import { nextSlice } from '@botstead/lib'
import { compute } from './compute.ts'
import {
  findMismatchHere,
  type JsonSchema,
  opened,
  rejectInvalidSchemas as rejectHere,
  SchemaTimeout,
} from './text/json-schemas.ts'

/** The time that the main thread takes for one. */
const hereMs = 20
const maxSlow = 1_000
/** Digests of schemas that exceeded it. They go to the other thread at once. */
const slow = new Set<string>()

/**
 * Returns the first mismatch as a sentence, or null when the value is valid. Never changes the
 * value. Throws InvalidJsonSchema for an unusable schema, and as Compute.
 */
export async function findMismatch(
  tenant: string,
  schema: JsonSchema,
  value: unknown,
): Promise<string | null> {
  const elsewhere = () => compute.run(tenant, 'findMismatch', { schema, value })
  if (slow.size > 0 && slow.has(toDigest(schema))) return elsewhere()
  try {
    return findMismatchHere(schema, value, hereMs)
  } catch (error) {
    if (!(error instanceof SchemaTimeout)) throw error
    slow.add(toDigest(schema))
    if (slow.size > maxSlow) slow.delete(slow.values().next().value!)
    return elsewhere()
  }
}

/**
 * Returns the first mismatch other than an undeclared property. Command lines write
 * `additionalProperties: false` for every `z.object` of the SDK, which accepts such properties, and
 * official software sends them.
 */
export const findMismatchOfDeclared = async (
  tenant: string,
  schema: JsonSchema,
  value: unknown,
): Promise<string | null> =>
  // Alternatives of a `oneOf` may differ in nothing else, so the schema as declared comes first.
  (await findMismatch(tenant, schema, value)) && findMismatch(tenant, opened(schema), value)

/** Checks schemas, each with its path. Throws InvalidJsonSchema, and as Compute. */
export async function rejectInvalidSchemas(
  tenant: string,
  schemas: [string, JsonSchema][],
): Promise<void> {
  try {
    rejectHere(schemas, hereMs)
  } catch (error) {
    if (!(error instanceof SchemaTimeout)) throw error
    await nextSlice()
    await compute.run(tenant, 'rejectInvalidSchemas', JSON.stringify(schemas))
  }
}

const toDigest = (schema: unknown) =>
  createHash('sha256').update(JSON.stringify(schema)).digest('base64')
