import { expect, test } from 'vitest'
import { ulid } from './ulid.ts'

test('creates unique ULIDs that sort by creation', () => {
  const ids = Array.from({ length: 50_000 }, () => ulid())
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
  // Two processes in the same millisecond: unique by random bytes only.
  expect(new Set(Array.from({ length: 1_000 }, () => ulid(0))).size).toBe(1_000)
})

test('sorts an earlier ULID before those of now', () => {
  expect(ulid(Date.parse('2020-01-01')) < ulid()).toBe(true)
  expect(ulid(0).slice(0, 10)).toBe('0000000000')
  expect(ulid(1_469_918_176_385).slice(0, 10)).toBe('01ARYZ6S41') // Example of the ULID specification.
})
