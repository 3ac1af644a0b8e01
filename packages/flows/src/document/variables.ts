// Declared variables: their defaults and the check of their values.

import type { ScopeName } from '../code/surroundings.ts'
import type { Json } from '../engine/platform.ts'
import type { Flow, FlowDocument, Variable } from './document.ts'

type Declared = Record<string, Variable> | undefined

/** Returns the values of declared variables: the given value, the default or null. */
export function withDefaults(declared: Declared, values: Json = {}): Json {
  const names = Object.entries(declared ?? {})
  return {
    ...Object.fromEntries(
      names.map(([name, variable]) => [name, structuredClone(variable.default ?? null)]),
    ),
    ...values,
  }
}

export const listVariables = ({
  variables,
  inputs,
  outputs,
}: Flow): Record<string, Variable> => ({
  ...outputs,
  ...variables,
  ...inputs,
})

/**
 * Returns the declared variables of a scope in a flow. Undefined if the scope needs no
 * declarations.
 */
export function declaredIn(
  { variables }: FlowDocument,
  flow: Flow | undefined,
  scope: ScopeName,
): Declared {
  if (scope === 'workflow') return flow ? listVariables(flow) : {}
  if (scope === 'env') return variables?.configuration ?? {}
  if (scope === 'session' || scope === 'turn') return undefined
  return variables?.[scope] ?? {}
}

/** Returns an error message if the variable must not have this value, otherwise null. */
export function variableError(
  declared: Declared,
  scope: ScopeName,
  name: string,
  value: unknown,
): string | null {
  if (!declared) return null
  if (!Object.hasOwn(declared, name))
    return `The variable ${scope}.${name} is not declared. Declare it in the document`
  const { type } = declared[name]!
  return value === null || value === undefined || hasType(type, value)
    ? null
    : `The variable ${scope}.${name} has the type "${type}" and cannot hold ${shown(value)}`
}

export function hasType(type: Variable['type'], value: unknown): boolean {
  if (type === 'any') return true
  if (type === 'array') return Array.isArray(value)
  if (type === 'date')
    return typeof value === 'string' && !Number.isNaN(Date.parse(value))
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

const shown = (value: unknown) => (JSON.stringify(value) ?? String(value)).slice(0, 100)
