import { expect, test } from 'vitest'
import { findFiles, findNamedTests, findSimilar, listTestFiles } from './subjects.js'

const files = [
  'packages/server/test/modules/messaging/handoffs.test.ts',
  'packages/server/test/modules/messaging/handoffs-crash.test.ts',
  'packages/server/test/app/dashboard/inbox.test.ts',
  'packages/flows/src/engine.test.ts',
]

test('finds files by a word of their name, or of a folder', () => {
  expect(findFiles('handoffs', files)).toEqual(files.slice(0, 2))
  expect(findFiles('Dashboard', files)).toEqual([files[2]])
  expect(findFiles('flows', files)).toEqual([files[3]])
  expect(findFiles('test', files)).toHaveLength(3)
})

test('finds files below a path', () => {
  expect(findFiles('packages/flows/', files)).toEqual([files[3]])
  expect(findFiles('./packages/flows/src/engine.test.ts', files)).toEqual([files[3]])
  expect(findFiles('inbox.test.ts', files)).toEqual([files[2]])
})

test('suggests names that are similar to an unknown subject', () => {
  expect(findFiles('handofs', files)).toEqual([])
  expect(findSimilar('handofs', files)).toEqual(['handoffs', 'handoffs-crash'])
  expect(findSimilar('xylophone', files)).toEqual([])
})

test('lists the test files of this repository', () => {
  expect(listTestFiles()).toContain('scripts/tests/subjects.test.ts')
})

test('finds the tests of whole servers that the README of a module or feature names', () => {
  expect(findNamedTests('accounts')).toContain('packages/server/test/api/admin.test.ts')
  expect(findNamedTests('features/handoffs')).toContain(
    'packages/server/test/app/dashboard/inbox.test.ts',
  )
  expect(findNamedTests('features/handoffs')).toEqual(
    expect.arrayContaining([
      'packages/server/src/core/messaging/search/message-search.test.ts',
      'packages/server/test/app/dashboard/conversations.test.ts',
    ]),
  )
  expect(findNamedTests('xylophone')).toEqual([])
})
