// Which schema an entity has that a plugin's schemas name: that of the integration behind the interface or, where none is named, the interface's own.
import { ApiError, type PluginDependencies } from '@botstead/contract'
import type { InterfaceDefinition } from '../interfaces/definition.ts'
import type { JsonSchema } from '../lib/json-schemas.ts'
import type { FindEntity } from './dereference.ts'

/** What an integration says of an interface that it implements: how it calls what the interface names. */
export interface Statement {
  id: string
  name: string
  version?: string
  entities?: Record<string, { name: string }>
  actions?: Record<string, { name: string }>
}
export interface Implementation {
  name: string
  definition: { entities?: Record<string, { schema: JsonSchema }>; interfaces?: Record<string, unknown> }
}

/** By the name under which the integration has it or, without one, the first that fits. Null when it does not implement it. */
export function findStatement(
  { definition }: Implementation,
  wanted: { id?: string; name?: string } | undefined,
  under?: string,
): { under: string; statement: Statement } | null {
  const fits = ({ id, name }: Statement) => !wanted || id === wanted.id || name === wanted.name
  const all = Object.entries((definition.interfaces ?? {}) as Record<string, Statement>)
  const found =
    under === undefined
      ? all.find(([, statement]) => wanted && fits(statement))
      : all.find(([key, statement]) => key === under && fits(statement))
  return found ? { under: found[0], statement: found[1] } : null
}

/** The entity of an integration that stands for the interface's. */
export function entityOf(
  { definition }: Implementation,
  { entities = {} }: Statement,
  entity: string,
): JsonSchema | null {
  const { name = entity } = own(entities, entity) ?? {}
  return own(definition.entities ?? {}, name)?.schema ?? null
}

/** The interfaces' own. */
export const interfaceEntities =
  (dependencies: PluginDependencies, definitions: Map<string, InterfaceDefinition>): FindEntity =>
  (alias, entity) => {
    const dependency = own(dependencies.interfaces, alias)
    const definition = dependency && definitions.get(dependency.id)
    return (definition && own(definition.entities, entity)?.schema) ?? null
  }

/** Of the integrations that are named, by the plugin's names of the interfaces; of the interfaces themselves for the others. */
export function implementedEntities(
  dependencies: PluginDependencies,
  implementations: Map<string, Implementation>,
  otherwise: FindEntity,
): FindEntity {
  const stated = new Map(
    [...implementations].map(([alias, implementation]) => [
      alias,
      { implementation, statement: stateFor(dependencies, alias, implementation) },
    ]),
  )
  return (alias, entity) => {
    const known = stated.get(alias)
    return known
      ? (entityOf(known.implementation, known.statement, entity) ?? otherwise(alias, entity))
      : otherwise(alias, entity)
  }
}

function stateFor(
  { interfaces }: PluginDependencies,
  alias: string,
  implementation: Implementation,
): Statement {
  const dependency = own(interfaces, alias)
  if (!dependency) throw new ApiError('ReferenceNotFound', `The plugin works through no interface "${alias}"`)
  const found = findStatement(implementation, dependency)
  if (!found)
    throw new ApiError(
      'ReferenceNotFound',
      `The integration "${implementation.name}" does not implement "${dependency.name}"`,
    )
  return found.statement
}

/** Names are authors' words: nothing inherited is one. */
const own = <T>(of: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined
