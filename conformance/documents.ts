// Reads the operations of a document and compares the inventories of two documents.
import type { Described } from './compare.ts'
import { isObject, type Json } from './normalize.ts'

export interface Named extends Described {
  id: string
  method: string
  path: string
}

export function listOperations(document: Json): Named[] {
  const paths = Object.entries((document.paths ?? {}) as Record<string, Json>)
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      isObject(operation) && operation.operationId
        ? [
            {
              id: String(operation.operationId),
              method: method.toUpperCase(),
              path,
              operation,
              document,
            },
          ]
        : [],
    ),
  )
}

/** Returns a message for each operation that is missing, additional or moved. */
export function inventoryFaults(
  family: string,
  ours: Named[],
  theirs: Named[],
): string[] {
  const known = new Map(theirs.map((one) => [one.id, one]))
  const have = new Map(ours.map((one) => [one.id, one]))
  const missing = theirs
    .filter(({ id }) => !have.has(id))
    .map(({ id }) => `${family}.${id} is missing`)
  const extra = ours
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => `${family}.${id} is not in the external document`)
  const moved = ours.flatMap(({ id, method, path }) => {
    const there = known.get(id)
    if (!there || (there.method === method && there.path === path)) return []
    return [
      `${family}.${id} is ${method} ${path} in Botstead and ${there.method} ${there.path} in the ` +
        'external document',
    ]
  })
  return [...missing, ...extra, ...moved]
}
