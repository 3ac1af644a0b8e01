// Finds the schema of an entity that a plugin's schemas refer to: the implementing integration's
// or, without one, the interface's own.
import { ApiError, type PluginDependencies } from '@botstead/contract'
import type { JsonSchema } from '../../compute/index.ts'
import type { InterfaceDefinition } from '../interfaces/definition.ts'
import type { FindEntity } from './dereference.ts'

/**
 * An integration's mapping of an interface that it implements: its own names for the interface's
 * names.
 */
export interface Statement {
  id: string
  name: string
  version?: string
  entities?: Record<string, { name: string }>
  actions?: Record<string, { name: string }>
}
export interface Implementation {
  name: string
  definition: {
    entities?: Record<string, { schema: JsonSchema }>
    interfaces?: Record<string, unknown>
  }
}

/**
 * Finds the mapping by its key in the integration or, without a key, the first that matches.
 * Returns null when the integration does not implement the interface.
 */
export function findStatement(
  { definition }: Implementation,
  wanted: { id?: string; name?: string } | undefined,
  under?: string,
): { under: string; statement: Statement } | null {
  const fits = ({ id, name }: Statement) =>
    !wanted || id === wanted.id || name === wanted.name
  const all = Object.entries((definition.interfaces ?? {}) as Record<string, Statement>)
  const found =
    under === undefined
      ? all.find(([, statement]) => wanted && fits(statement))
      : all.find(([key, statement]) => key === under && fits(statement))
  return found ? { under: found[0], statement: found[1] } : null
}

/** Returns the integration's entity for an entity of the interface. */
export function findEntity(
  { definition }: Implementation,
  { entities = {} }: Statement,
  entity: string,
): JsonSchema | null {
  const { name = entity } = own(entities, entity) ?? {}
  return own(definition.entities ?? {}, name)?.schema ?? null
}

/** Finds the interfaces' own entities. */
export const interfaceEntities =
  (
    dependencies: PluginDependencies,
    definitions: Map<string, InterfaceDefinition>,
  ): FindEntity =>
  (alias, entity) => {
    const dependency = own(dependencies.interfaces, alias)
    const definition = dependency && definitions.get(dependency.id)
    return (definition && own(definition.entities, entity)?.schema) ?? null
  }

/**
 * Finds entities of the given integrations, keyed by the plugin's interface names; otherwise those
 * of the interface.
 */
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
      ? (findEntity(known.implementation, known.statement, entity) ??
          otherwise(alias, entity))
      : otherwise(alias, entity)
  }
}

function stateFor(
  { interfaces }: PluginDependencies,
  alias: string,
  implementation: Implementation,
): Statement {
  const dependency = own(interfaces, alias)
  if (!dependency)
    throw new ApiError(
      'ReferenceNotFound',
      `The plugin does not depend on an interface "${alias}"`,
    )
  const found = findStatement(implementation, dependency)
  if (!found)
    throw new ApiError(
      'ReferenceNotFound',
      `The integration "${implementation.name}" does not implement "${dependency.name}"`,
    )
  return found.statement
}

/** Authors choose the names, so inherited properties must not match. */
const own = <T>(of: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined
