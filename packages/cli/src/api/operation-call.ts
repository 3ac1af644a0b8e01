// Calls an operation with values by the names of its fields.
import { findWorkspaceParameter } from '@botstead/contract'
import type { Context } from '../server/context.ts'
import { findOperation } from './operations.ts'

type Fields = Record<string, unknown>
type Call = (request: Record<string, Fields>) => Promise<Fields>

/** Ignores values without a field of this name. Bot and workspace come from the context. */
export function callOperation(
  { client, botId, workspaceId }: Context,
  name: string,
  given: Fields,
): Promise<Fields> {
  const operation = findOperation(name)
  const values: Fields = {
    botId,
    [findWorkspaceParameter(operation) ?? '']: workspaceId,
    ...given,
  }
  const request: Record<string, Fields> = {}
  for (const location of ['params', 'query', 'body'] as const) {
    if (!operation[location]) continue
    const { properties = {} } = operation[location] as { properties?: object }
    const names = Object.keys(properties).filter((field) => values[field] !== undefined)
    request[location] = Object.fromEntries(names.map((field) => [field, values[field]]))
  }
  const calls = client as unknown as Record<string, Record<string, Call>>
  return calls[operation.family]![operation.id]!(request)
}
