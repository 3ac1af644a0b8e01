// The operations of the contract by name: `<family>.<operation>`.
import { families, type Operation, permissionFor } from '@botstead/contract'
import { UsageError } from '../failure.ts'

export interface NamedOperation extends Operation {
  name: string
  family: string
  id: string
}

export const operations: readonly NamedOperation[] = Object.entries(families).flatMap(
  ([family, { prefix, served }]) =>
    Object.values(served)
      .flatMap((group) => Object.entries<Operation>(group))
      .map(([id, operation]) => ({
        ...operation,
        name: `${family}.${id}`,
        family,
        id,
        path: prefix + operation.path,
        permission: permissionFor(family, operation),
      })),
)

/** Finds operations with the text in name, path or summary, in any case. */
export function searchOperations(text: string): NamedOperation[] {
  const wanted = text.toLowerCase()
  return operations.filter(({ name, method, path, summary }) =>
    [name, `${method} ${path}`, summary].some((part) =>
      part.toLowerCase().includes(wanted),
    ),
  )
}

/** The family may be left out if only one has the operation. */
export function findOperation(name: string): NamedOperation {
  const found = operations.filter((one) => one.name === name || one.id === name)
  if (found.length === 1) return found[0]!
  const names = (found.length > 0 ? found : searchOperations(name.split('.').at(-1)!))
    .slice(0, 5)
    .map((one) => one.name)
  const remedy =
    names.length > 0 ? `did you mean ${names.join(', ')}?` : '"api --list" lists all'
  throw new UsageError(
    `${found.length > 1 ? 'several operations are' : 'no operation is'} named "${name}": ${remedy}`,
  )
}
