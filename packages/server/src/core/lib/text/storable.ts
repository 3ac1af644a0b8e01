// Rejects values that JavaScript or the database cannot hold, with their path: NUL, lone
// surrogates, infinite numbers, and the key `__proto__`, which would change an object's prototype.
import { ApiError } from '@botstead/contract'

/**
 * Throws InvalidPayload. `path` is the JSON pointer of the value; `whole` names the outermost
 * value.
 */
export function rejectUnstorable(value: unknown, path: string, whole: string) {
  if (typeof value === 'string') refuseText(value, toName(path, whole))
  else if (typeof value === 'number' && !Number.isFinite(value))
    throw new ApiError(
      'InvalidPayload',
      `${toName(path, whole)} is a number too large to store`,
    )
  else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) rejectUnstorable(item, `${path}/${i}`, whole)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__')
        throw new ApiError(
          'InvalidPayload',
          `${toName(path, whole)} has the reserved key "__proto__": remove it`,
        )
      refuseText(key, toName(path, whole))
      rejectUnstorable(item, `${path}/${key}`, whole)
    }
  }
}

const toName = (path: string, whole: string) => (path ? `\`${path}\`` : whole)

/** Checks the parameters of the URL. */
export function rejectUnstorableAddress({
  params,
  query,
}: {
  params?: unknown
  query?: unknown
}) {
  rejectUnstorable(params, 'params', 'params')
  rejectUnstorable(query, 'query', 'query')
}

function refuseText(text: string, place: string) {
  if (text.includes('\0'))
    throw new ApiError(
      'InvalidPayload',
      `${place} contains a NUL character, which cannot be stored`,
    )
  if (!text.isWellFormed())
    throw new ApiError(
      'InvalidPayload',
      `${place} contains a lone surrogate (half a character), which cannot be stored`,
    )
}
