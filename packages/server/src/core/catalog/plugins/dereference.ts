// A plugin's schemas refer to entities of the interfaces that it depends on:
// `{"$ref": "interface:<name in the plugin>/entities/<entity>"}`. This module replaces the
// references with the entities of the implementing integrations, or with the interface's own. Pure.
import { ApiError } from '@botstead/contract'
import type { JsonSchema } from '../../compute/index.ts'
import { createResolver, mapEach } from '../packages/entity-references.ts'
import type { PluginDefinition } from './definition.ts'

/** Returns the schema of an entity, or null for an unknown entity. */
export type FindEntity = (interfaceAlias: string, entity: string) => JsonSchema | null

const reference = /^interface:(.+)\/entities\/([^/]+)$/

/**
 * Returns a new definition. Throws ReferenceNotFound for an unknown entity, InvalidJsonSchema if
 * the result would be too large.
 */
export function dereference(
  definition: PluginDefinition,
  findEntity: FindEntity,
): PluginDefinition {
  const resolve = createResolver((ref) => {
    const [, alias, entity] = reference.exec(ref) ?? []
    if (alias === undefined) return null
    const found = findEntity(alias, entity!)
    if (!found)
      throw new ApiError(
        'ReferenceNotFound',
        `Entity "${ref.slice(0, 200)}" was not found`,
      )
    return found
  })
  const one = <D extends { schema: JsonSchema }>(input: D): D => ({
    ...input,
    schema: resolve(input.schema),
  })
  return {
    ...definition,
    configuration: one(definition.configuration),
    states: mapEach(definition.states, one),
    events: mapEach(definition.events, one),
    actions: mapEach(definition.actions, (action) => ({
      ...action,
      input: one(action.input),
      output: one(action.output),
    })),
  }
}
