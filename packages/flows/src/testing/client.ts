// Replaces the official client in tests of bots: sends its operations to the in-memory server.
import { families, type Operation, type UnservedOperation } from '@botstead/contract'
import type { Json, Platform } from '../engine/platform.ts'

type Route = Pick<Operation, 'method' | 'path'> & { query?: unknown }

const operations = new Map<string, Route>(
  (['runtime', 'files', 'tables'] as const).flatMap((name): [string, Route][] => {
    const { served, unserved } = families[name]
    return [
      ...Object.values(served as Record<string, Record<string, Operation>>).flatMap(
        (group) => Object.entries(group),
      ),
      ...Object.entries(unserved as Record<string, UnservedOperation>),
    ]
  }),
)

export function clientOver(platform: Platform): object {
  return new Proxy(
    {},
    {
      get(_, name) {
        const operation = typeof name === 'string' ? operations.get(name) : undefined
        return (
          operation &&
          (async (input: Json = {}) => platform(createCall(operation, input)))
        )
      },
    },
  )
}

/**
 * Builds the call: fields that the path names go there; the others go into the query (GET, DELETE)
 * or the body.
 */
function createCall({ method, path, query }: Route, input: Json) {
  const rest = { ...input }
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET' && method !== 'DELETE')
    return { method, path: filledPath, body: rest }
  const parameters = Object.entries(rest).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' && query ? JSON.stringify(value) : String(value),
  ])
  return {
    method,
    path: parameters.length
      ? `${filledPath}?${new URLSearchParams(parameters)}`
      : filledPath,
  }
}
