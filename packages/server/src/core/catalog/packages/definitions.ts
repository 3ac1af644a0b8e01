// Rules for the definitions of all kinds of packages.
import { ApiError } from '@botstead/contract'
import type { JsonSchema } from '../../compute/index.ts'
import type { Visibility } from './versions.ts'

/** Parts of a definition (events, actions …), each a map by name. */
type DefinitionParts = Record<string, object>

/** Returns the schemas of a part with their paths in the definition, such as `events.<name>`. */
export const listSchemas = (
  part: string,
  all: Record<string, { schema: JsonSchema }>,
): [path: string, JsonSchema][] =>
  Object.entries(all).map(([name, { schema }]) => [`${part}.${name}`, schema])

/** Returns the schemas of the inputs and outputs of actions. */
export const listActionSchemas = (
  actions: Record<string, Record<'input' | 'output', { schema: JsonSchema }>>,
) =>
  Object.entries(actions).flatMap(([name, { input, output }]) =>
    listSchemas(`actions.${name}`, { input, output }),
  )

/** Returns the schemas of the messages of channels. */
export const listMessageSchemas = (
  channels: Record<string, { messages: Record<string, { schema: JsonSchema }> }>,
) =>
  Object.entries(channels).flatMap(([name, { messages }]) =>
    listSchemas(`channels.${name}.messages`, messages),
  )

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
