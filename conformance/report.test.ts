import { expect, test } from 'vitest'
import type { Json } from './normalize.ts'
import { compareFamilies, writeReport } from './report.ts'
import { writeSoftware } from './software-report.ts'

const get = (operationId: string, schema: Json) => ({
  get: {
    operationId,
    responses: { 200: { content: { 'application/json': { schema } } } },
  },
})
const difference = { path: 'response', ours: 'number', theirs: 'string' }

const findings = (ours: Json, theirs: Json, operations: string[] = []) =>
  compareFamilies(
    [
      {
        family: 'pets',
        ours: { paths: ours },
        theirs: { paths: theirs },
        isServed: () => true,
      },
    ],
    operations.map((operation) => ({ operation, ...difference, reason: 'Because' })),
  )

test('an unlisted difference fails the run', () => {
  const [ours, theirs] = [
    { '/cat': get('getCat', { type: 'number' }) },
    { '/cat': get('getCat', { type: 'string' }) },
  ]
  expect(findings(ours, theirs).faults).toEqual([
    'pets.getCat differs at `response`: Botstead has number, the external API has string',
  ])
  expect(findings(ours, theirs, ['pets.getCat']).faults).toEqual([])
  expect(writeReport(findings(ours, theirs, ['pets.getCat']), '1')).toContain(
    '| pets | getCat | `GET /cat` | yes | deviates | `response`: Botstead number, external string. ' +
      'Because. |',
  )
})

test('a listed deviation that matches no difference fails the run', () => {
  const same = { '/cat': get('getCat', { type: 'number' }) }
  expect(findings(same, same, ['pets.getCat']).faults).toEqual([
    'The deviation of pets.getCat at `response` matches no difference. Remove it from deviations.ts.',
  ])
})

test('a missing, additional or moved operation fails the run', () => {
  const [ours, theirs] = [
    { '/cat': get('getCat', {}), '/dog': get('getDog', {}) },
    { '/cats': get('getCat', {}), '/emu': get('getEmu', {}) },
  ]
  expect(findings(ours, theirs).faults).toEqual([
    'pets.getEmu is missing',
    'pets.getDog is not in the external document',
    'pets.getCat is GET /cat in Botstead and GET /cats in the external document',
  ])
})

test('lists each version of the official software with its result and failed steps', () => {
  const result = { name: '@x/client', on: '2026-01-02' }
  const done = { step: 'list', failure: null }
  const text = writeSoftware({
    results: [
      { ...result, version: '1.0.0', steps: [done] },
      {
        ...result,
        version: '2.0.0',
        steps: [done, { step: 'get | put', failure: 'No\nway' }],
        note: 'Since.',
      },
    ],
  })
  expect(text).toContain('| `@x/client` | 1.0.0 | works | 2026-01-02 | list |')
  expect(text).toContain(
    '| `@x/client` | 2.0.0 | works in part | 2026-01-02 | list; **get \\| put** failed: No way. Since. |',
  )
})
