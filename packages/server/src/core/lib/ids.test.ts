import { expect, test } from 'vitest'
import { newId, ulid } from './ids.ts'

test('creates unique ids that sort by creation', () => {
  const ids = Array.from({ length: 50_000 }, () => ulid())
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
  // Two processes in the same millisecond: unique by random bytes only.
  expect(new Set(Array.from({ length: 1_000 }, () => ulid(0))).size).toBe(1_000)
})

test('creates ids with the prefix of their kind, up to the maximum length', () => {
  expect(newId('conversation')).toMatch(/^conv_[0-9A-HJKMNP-TV-Z]{26}$/)
})

test('sorts an earlier id before those of now', () => {
  expect(ulid(Date.parse('2020-01-01')) < ulid()).toBe(true)
  expect(ulid(0).slice(0, 10)).toBe('0000000000')
  expect(ulid(1_469_918_176_385).slice(0, 10)).toBe('01ARYZ6S41') // Example of the ULID specification.
})
