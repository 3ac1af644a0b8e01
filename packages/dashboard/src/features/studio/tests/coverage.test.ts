import type { DraftTestResult } from '@botstead/contract'
import { expect, test } from 'vitest'
import { documentTools } from '../draft/document-tools.ts'
import type { Json } from '../flows/bot-document.ts'
import { findCoverage, isSameBot, keepResults } from './coverage.ts'
import {
  addTest,
  deleteTest,
  findNameProblem,
  freeTestName,
  renameTest,
} from './test-edits.ts'

const node = { type: 'standard', cards: [] }
const document = {
  flows: {
    main: { nodes: { start: node, 'a/b': node } },
    other: { nodes: { start: node } },
  },
  tests: { one: { steps: [] }, two: { steps: [] } },
}
const result = (name: string, flow: string, ...nodes: string[]): DraftTestResult => ({
  name,
  ms: 1,
  visited: [{ flow, nodes }],
})
const both = [result('one', 'main', 'start'), result('two', 'other', 'start')]
const change = (edits: Parameters<typeof documentTools.apply>[1], of: Json = document) =>
  documentTools.apply(of, edits) as Json

test('finds the steps that no test visited, when each test has run', () => {
  const some = keepResults(new Map(), document, [both[0]!])
  expect(findCoverage(document, some)).toBeNull()
  const all = keepResults(some, document, [both[1]!])
  const untested = new Set(['/flows/main/nodes/a~1b'])
  expect(findCoverage(document, all)).toEqual({ steps: 3, untested })
  const left = keepResults(all, document, [{ ...both[1]!, unlisted: 1 }])
  expect(findCoverage(document, left)).toBeNull()
  expect(findCoverage({ ...document, tests: {} }, all)).toBeNull()
})

test('keeps the result of a test that is renamed, and not that of a changed one', () => {
  const results = keepResults(new Map(), document, both)
  const renamed = change(renameTest('one', 'first/~ '))
  expect(findCoverage(renamed, results)).not.toBeNull()
  expect(keepResults(results, renamed, []).size).toBe(2)
  const changed = change([
    { op: 'set', pointer: '/tests/one/steps/0', value: { user: 'hi' } },
  ])
  expect(findCoverage(changed, results)).toBeNull()
  expect(keepResults(results, changed, []).size).toBe(1)
})

test('compares bots without their tests', () => {
  expect(isSameBot(document, change(deleteTest('two')))).toBe(true)
  expect(
    isSameBot(document, change([{ op: 'set', pointer: '/settings', value: {} }])),
  ).toBe(false)
})

test('adds tests with free names', () => {
  const added = change(addTest({}, '__proto__', { steps: [] }), {})
  expect(JSON.stringify(added)).toBe('{"tests":{"__proto__":{"steps":[]}}}')
  expect(freeTestName(added, '__proto__')).toBe('__proto__ 2')
  expect(freeTestName(change(addTest(document, 'one 2', {})), ' one ')).toBe('one 3')
  expect(freeTestName({}, 'x'.repeat(300))).toHaveLength(195)
  expect(findNameProblem(document, ' one ')).toBe('taken')
  expect(findNameProblem(document, 'one', 'one')).toBeNull()
  expect(findNameProblem(document, ' ')).toBe('empty')
  expect(findNameProblem(document, 'x'.repeat(201))).toBe('long')
})
