// What holds for all that packages declare, whatever kind they are.
import { ApiError } from '@botstead/contract'
import type { Visibility } from './versions.ts'

/** Parts of a definition (events, actions …), each a map from names. */
export type Parts = Record<string, object>

/** The same as an integration's. */
const nameShape = /^[a-z][A-Za-z0-9_-]{1,99}$/

/** Names are put together with others by `:` and `#`. Throws InvalidIdentifier. */
export function checkNames(parts: Parts): void {
  for (const [part, all] of Object.entries(parts)) {
    const wrong = Object.keys(all).find((name) => !nameShape.test(name))
    if (wrong !== undefined)
      throw new ApiError(
        'InvalidIdentifier',
        `"${wrong.slice(0, 100)}" (${part}) must have 2 to 100 letters and digits and begin with a small letter`,
      )
  }
}

/** Whom others may have built upon, keeps what it had. Throws BreakingChanges. */
export function refuseBreaking(visibility: Visibility, before: Parts, after: Parts): void {
  if (visibility === 'private') return
  const lost = Object.entries(before).flatMap(([part, all]) =>
    missing(all, after[part]).map((name) => `${part} ${name}`),
  )
  if (lost.length)
    throw new ApiError(
      'BreakingChanges',
      `Others may use this version; publish another one without ${lost.slice(0, 10).join(', ')}`,
    )
}

const missing = (before: object, after: object = {}) =>
  Object.keys(before).filter((name) => !Object.hasOwn(after, name))
