// A plugin's schemas name entities of the interfaces that it works through: `{"$ref": "interface:<name in the plugin>/entities/<entity>"}`. In their
// place come the entities of the integrations behind, or the interface's own. Pure.
import { ApiError } from '@botstead/contract'
import type { JsonSchema } from '../lib/json-schemas.ts'
import { mapped, resolver } from '../packages/entity-references.ts'
import type { PluginDefinition } from './definition.ts'

/** The schema of an entity; null for one that nobody knows. */
export type FindEntity = (interfaceAlias: string, entity: string) => JsonSchema | null

const reference = /^interface:(.+)\/entities\/([^/]+)$/

/** A new definition. Throws ReferenceNotFound for an entity that is not there, InvalidJsonSchema for what would become too large. */
export function dereference(definition: PluginDefinition, findEntity: FindEntity): PluginDefinition {
  const resolve = resolver((ref) => {
    const [, alias, entity] = reference.exec(ref) ?? []
    if (alias === undefined) return null
    const found = findEntity(alias, entity!)
    if (!found) throw new ApiError('ReferenceNotFound', `There is no entity "${ref.slice(0, 200)}"`)
    return found
  })
  const one = <D extends { schema: JsonSchema }>(given: D): D => ({ ...given, schema: resolve(given.schema) })
  return {
    ...definition,
    configuration: one(definition.configuration),
    states: mapped(definition.states, one),
    events: mapped(definition.events, one),
    actions: mapped(definition.actions, (action) => ({
      ...action,
      input: one(action.input),
      output: one(action.output),
    })),
  }
}
