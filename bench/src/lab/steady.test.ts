import { expect, test } from 'vitest'
import { compareSamples, type Sample } from './steady.ts'

/** Twelve samples of a run in which nothing but the history grows. */
const steady = (change: (sample: Sample, at: number) => void = () => {}): Sample[] =>
  Array.from({ length: 12 }, (_, at) => {
    const sample: Sample = {
      messages: 1000 * at,
      serverMb: 150,
      databaseMb: 100,
      botsMb: 40,
      descriptors: 100,
      historyMb: at,
      tablesMb: { lane: 1, delivery: 1 },
    }
    change(sample, at)
    return sample
  })
const comparePromises = (samples: Sample[]) => compareSamples(samples).promises
const kept = {
  growingMemory: 0,
  growingDescriptors: 0,
  growingTables: 0,
  growingHistory: 0,
}

test('keeps every promise when only the history grows', () => {
  expect(comparePromises(steady())).toEqual(kept)
})

test.each<[string, (sample: Sample, at: number) => void, object]>([
  ['memory of the server', (one, at) => (one.serverMb += 10 * at), { growingMemory: 1 }],
  ['memory of the bots', (one, at) => (one.botsMb += 15 * at), { growingMemory: 1 }],
  ['descriptors', (one, at) => (one.descriptors += 10 * at), { growingDescriptors: 1 }],
  [
    'a table of the queue',
    (one, at) => (one.tablesMb.lane! += 2 * at),
    { growingTables: 1 },
  ],
  ['bytes per message', (one, at) => (one.historyMb = at * at), { growingHistory: 1 }],
])('detects growing %s', (_, change, broken) => {
  expect(comparePromises(steady(change))).toEqual({ ...kept, ...broken })
})

test('rejects a run that is too short to compare', () => {
  expect(() => compareSamples(steady().slice(0, 8))).toThrow('two minutes')
})
