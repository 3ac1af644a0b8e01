// The operations that the server serves, and the schemas of their inputs.
import {
  type Family,
  families,
  may,
  type Operation,
  permissionFor,
  type Role,
} from '@botstead/contract'

export interface ServedOperation extends Operation {
  name: string
  family: string
  /** The URL with the prefix of its family. */
  url: string
}
export type InputLocation = 'params' | 'query' | 'body'

export const servedOperations: ServedOperation[] = (
  Object.entries(families) as [string, Family][]
).flatMap(([family, { served, prefix }]) =>
  Object.values(served).flatMap((group) =>
    Object.entries(group).map(([id, operation]) => ({
      ...operation,
      family,
      name: `${family}.${id}`,
      url: prefix + operation.path,
    })),
  ),
)

/** Roles from the contract's table. Operations without members allow any role. */
export function permits(operation: ServedOperation, role: Role): boolean {
  const permission = permissionFor(operation.family, operation)
  return permission === undefined || may(role, permission)
}

export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  minLength?: number
  minimum?: number
  additionalProperties?: boolean | Schema
}
const getSchema = (operation: Operation, place: InputLocation) =>
  (operation[place] ?? {}) as Schema
export const getProperties = (
  operation: Operation,
  place: InputLocation,
): Record<string, Schema> => getSchema(operation, place).properties ?? {}
export const getRequired = (operation: Operation, place: InputLocation) =>
  getSchema(operation, place).required ?? []
export const isClosed = (operation: Operation) =>
  getSchema(operation, 'body').additionalProperties === false
