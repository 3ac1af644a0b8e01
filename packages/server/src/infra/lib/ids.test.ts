import { expect, test } from 'vitest'
import { newId, ulid } from './ids.ts'

test('ids of one process sort by the order in which they were made, and none comes twice', () => {
  const ids = Array.from({ length: 50_000 }, () => ulid())
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
  // of one moment, which two processes may share: by chance alone
  expect(new Set(Array.from({ length: 1_000 }, () => ulid(0))).size).toBe(1_000)
})

test('an id says what it is, and keeps to the length of the contract', () => {
  expect(newId('conversation')).toMatch(/^conv_[0-9A-HJKMNP-TV-Z]{26}$/)
})

test('an id of an earlier moment sorts before those of now', () => {
  expect(ulid(Date.parse('2020-01-01')) < ulid()).toBe(true)
  expect(ulid(0).slice(0, 10)).toBe('0000000000')
  expect(ulid(1_469_918_176_385).slice(0, 10)).toBe('01ARYZ6S41') // the example of the ULID specification
})
