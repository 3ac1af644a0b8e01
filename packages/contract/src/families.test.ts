// Rules that types cannot hold: what every operation of the contract keeps to.
import { expect, test } from 'vitest'
import { type Family, families } from './families.ts'
import type { Operation } from './operation.ts'
import { permissionFor } from './permissions.ts'

const operations = Object.entries(families as Record<string, Family>).flatMap(([family, { served }]) =>
  Object.values(served).flatMap((group) =>
    Object.entries(group).map(([id, operation]): [string, Operation] => [`${family}.${id}`, operation]),
  ),
)

const names = (schema: unknown) =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

test.each(operations)('%s describes what its path names, and nothing else', (_, { path, params }) => {
  expect(names(params)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
})

test.each(operations)('%s has a body only where one is read', (_, { method, body }) => {
  expect(body !== undefined).toBe(method === 'POST' || method === 'PUT' || method === 'PATCH')
})

test.each(operations)('%s says in one line what it does', (_, { summary }) => {
  expect(summary).toMatch(/^[A-Z][^\n]{5,150}[^.\s]$/)
})

test.each(operations)(
  '%s takes a permission where there are members, and nowhere else',
  (name, operation) => {
    const hasMembers = operation.access === 'workspace' || operation.access === 'bot'
    expect(permissionFor(name.split('.')[0]!, operation) !== undefined).toBe(hasMembers)
  },
)
