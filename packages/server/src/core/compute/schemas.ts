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

/** The time that the main thread takes for one, in ms: of the clock, so a busy machine gets two tries. */
const hereMs = 20
const maxSlow = 1_000
const slowForMs = 60_000
/**
 * By digest: schemas that exceeded it, and the time until which they go to the other thread at once.
 * Not forever, because the first schemas of a process, or any on a busy machine, may exceed it, too.
 */
const slow = new Map<string, number>()

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
  if (slow.size > 0 && (slow.get(toDigest(schema)) ?? 0) > performance.now())
    return elsewhere()
  const found = await tryTwice(() => findMismatchHere(schema, value, hereMs))
  if (found !== tooSlow) return found
  slow.set(toDigest(schema), performance.now() + slowForMs)
  if (slow.size > maxSlow) slow.delete(slow.keys().next().value!)
  return elsewhere()
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
  (await findMismatch(tenant, schema, value)) &&
  findMismatch(tenant, opened(schema), value)

/** Checks schemas, each with its path. Throws InvalidJsonSchema, and as Compute. */
export async function rejectInvalidSchemas(
  tenant: string,
  schemas: [string, JsonSchema][],
): Promise<void> {
  const checked = await tryTwice(() => rejectHere(schemas, hereMs))
  if (checked === tooSlow)
    await compute.run(tenant, 'rejectInvalidSchemas', JSON.stringify(schemas))
}

const tooSlow = Symbol('too slow')

/** Other work of the main thread runs in between. */
async function tryTwice<Result>(work: () => Result): Promise<Result | typeof tooSlow> {
  const first = tryHere(work)
  if (first !== tooSlow) return first
  await nextSlice()
  return tryHere(work)
}

function tryHere<Result>(work: () => Result): Result | typeof tooSlow {
  try {
    return work()
  } catch (error) {
    if (error instanceof SchemaTimeout) return tooSlow
    throw error
  }
}

const toDigest = (schema: unknown) =>
  createHash('sha256').update(JSON.stringify(schema)).digest('base64')

/** Schemas of tenants, and values that should match them. */
export const schemas = {
  findMismatch,
  findMismatchOfDeclared,
  rejectInvalid: rejectInvalidSchemas,
}
