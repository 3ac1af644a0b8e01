// What neither JavaScript nor the database can hold is refused at the edge, with the name of the place where it is: NUL, half characters,
// numbers without end, and the one key that would change an object's nature instead of its content.
import { ApiError } from '@botstead/contract'

/** Deepest nesting of objects and arrays, of whatever is kept: JSON.stringify and PostgreSQL end somewhere past it. */
export const mostDepth = 64

/** Throws InvalidPayload. `path` leads to the value, as a JSON pointer; `whole` is how all of it is called. */
export function refuseUnstorable(value: unknown, path: string, whole: string) {
  if (typeof value === 'string') refuseText(value, path || whole)
  else if (typeof value === 'number' && !Number.isFinite(value))
    throw new ApiError('InvalidPayload', `${path || whole} is a number too large to keep`)
  else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) refuseUnstorable(item, `${path}/${i}`, whole)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__')
        throw new ApiError('InvalidPayload', `${path || whole} has a key that is not allowed: __proto__`)
      refuseText(key, path || whole)
      refuseUnstorable(item, `${path}/${key}`, whole)
    }
  }
}

/** The same for what comes in the address. */
export function refuseUnstorableAddress({ params, query }: { params?: unknown; query?: unknown }) {
  refuseUnstorable(params, 'params', 'params')
  refuseUnstorable(query, 'query', 'query')
}

function refuseText(text: string, place: string) {
  if (text.includes('\0'))
    throw new ApiError('InvalidPayload', `${place} holds a NUL character, which cannot be kept`)
  if (!text.isWellFormed())
    throw new ApiError(
      'InvalidPayload',
      `${place} holds half a character (a lone surrogate), which cannot be kept`,
    )
}
