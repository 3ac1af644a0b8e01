import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('creates ids with the prefix of their kind, up to the maximum length', () => {
  expect(newId('conversation')).toMatch(/^conv_[0-9A-HJKMNP-TV-Z]{26}$/)
})
