// Rules for every operation of the contract that types cannot express.
import { expect, test } from 'vitest'
import type { Family } from './family.ts'
import type { Operation } from './operation.ts'
import { permissionFor } from './permissions.ts'
import { families } from './registry.gen.ts'

const operations = Object.entries(families as Record<string, Family>).flatMap(
  ([family, { served }]) =>
    Object.values(served).flatMap((group) =>
      Object.entries(group).map(([id, operation]): [string, Operation] => [
        `${family}.${id}`,
        operation,
      ]),
    ),
)

const names = (schema: unknown) =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

test.each(operations)(
  '%s declares exactly the parameters of its path',
  (_, { path, params }) => {
    expect(names(params)).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
  },
)

test.each(operations)(
  '%s has a body if and only if its method has one',
  (_, { method, body }) => {
    expect(body !== undefined).toBe(
      method === 'POST' || method === 'PUT' || method === 'PATCH',
    )
  },
)

test.each(operations)('%s has a summary of at most eight words', (_, { summary }) => {
  expect(summary).toMatch(/^[A-Z][^\n]{5,80}[^.\s]$/)
  expect(summary.split(' ').length).toBeLessThanOrEqual(8)
})

test.each(operations)(
  '%s requires a permission if and only if workspace members can call it',
  (name, operation) => {
    const hasMembers = operation.access === 'workspace' || operation.access === 'bot'
    expect(permissionFor(name.split('.')[0]!, operation) !== undefined).toBe(hasMembers)
  },
)
