// Each of the 208 operations of the external API appears once, served or unserved.
import { type Family, type FamilyName, families, toOpenApi } from '@botstead/contract'
import { expect, test } from 'vitest'
import { listOperations } from './documents.ts'

const names = Object.keys(families) as FamilyName[]
const operationsIn = (name: FamilyName) => listOperations({ ...toOpenApi(name) })

test.each([
  ['runtime', 44],
  ['chat', 21],
  ['admin', 111],
  ['files', 15],
  ['tables', 17],
] as const)('%s has %i operations', (name, count) => {
  expect(operationsIn(name)).toHaveLength(count)
})

test.each(names)('%s has unique operation names and routes', (name) => {
  const family: Family = families[name]
  const served = Object.values(family.served).flatMap((group) => Object.entries(group))
  const all = [...served, ...Object.entries(family.unserved)]
  expect(new Set(all.map(([id]) => id)).size).toBe(all.length)
  expect(
    new Set(
      all.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    ).size,
  ).toBe(all.length)
})
