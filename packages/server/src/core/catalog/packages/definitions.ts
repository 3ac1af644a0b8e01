// Rules for the definitions of all kinds of packages.
import { ApiError } from '@botstead/contract'
import type { Visibility } from './versions.ts'

/** Parts of a definition (events, actions …), each a map by name. */
type DefinitionParts = Record<string, object>

/** The same as for integrations. */
const nameShape = /^[a-z][A-Za-z0-9_-]{1,99}$/

/**
 * Names are combined with `:` and `#`, so they must not contain these. Throws InvalidIdentifier.
 */
export function checkNames(parts: DefinitionParts): void {
  for (const [part, all] of Object.entries(parts)) {
    const wrong = Object.keys(all).find((name) => !nameShape.test(name))
    if (wrong !== undefined)
      throw new ApiError(
        'InvalidIdentifier',
        `"${wrong.slice(0, 100)}" (${part}) must have 2 to 100 letters and digits and begin with a ` +
          'lower-case letter',
      )
  }
}

/** Rejects removals from a version that other workspaces may use. Throws BreakingChanges. */
export function rejectBreaking(
  visibility: Visibility,
  before: DefinitionParts,
  after: DefinitionParts,
): void {
  if (visibility === 'private') return
  const removed = Object.entries(before).flatMap(([part, all]) =>
    missing(all, after[part]).map((name) => `${part} ${name}`),
  )
  if (removed.length)
    throw new ApiError(
      'BreakingChanges',
      'Other workspaces may use this version. Publish a new version without ' +
        `${removed.slice(0, 10).join(', ')} instead`,
    )
}

const missing = (before: object, after: object = {}) =>
  Object.keys(before).filter((name) => !Object.hasOwn(after, name))
