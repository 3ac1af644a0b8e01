// The part of the contract that the client needs while it runs: methods and paths. A browser gets
// them as a small table instead of the whole contract.
import type { Family, FamilyName, Operation } from '@botstead/contract'

/** `stream`: the response's media type if it is a stream. */
export interface Route {
  method: Operation['method']
  path: string
  stream?: string
}

/** By family and operation. */
export type Routes = Record<FamilyName, Record<string, Route>>

export function toRoutes(families: Record<FamilyName, Family>): Routes {
  const routes = Object.entries(families).map(([name, { prefix, served }]) => {
    const operations = Object.values(served).flatMap((group) => Object.entries(group))
    return [
      name,
      Object.fromEntries(operations.map(([id, each]) => [id, toRoute(prefix, each)])),
    ]
  })
  return Object.fromEntries(routes)
}

const toRoute = (
  prefix: string,
  { method, path, stream, mediaType }: Operation,
): Route => ({
  method,
  path: prefix + path,
  ...(stream && { stream: mediaType ?? 'text/event-stream' }),
})
