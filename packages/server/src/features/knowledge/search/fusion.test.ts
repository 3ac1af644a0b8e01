import { describe, expect, test } from 'vitest'
import { shifted, standardized } from '../vectors/vector-search.ts'
import { fuse } from './fusion.ts'
import { estimateRelevance } from './relevance.ts'

const wordHit = (position: number, coverage: number) => ({
  fileId: 'f',
  position,
  score: coverage / 2,
  coverage,
  groups: [0],
})
const vectorHit = (position: number, similarity: number) => ({
  fileId: 'f',
  position,
  score: similarity,
  similarity,
})
const order = (...lists: Parameters<typeof fuse>) =>
  fuse(...lists).map(({ position }) => position)

describe('merging', () => {
  test('ranks passages with the words before unrelated ones of a vague model', () => {
    const vague = standardized([0.8, 0.8001, 0.7999]).map((one, at) =>
      vectorHit(at + 10, one),
    )
    expect(order([wordHit(0, 0.9), wordHit(1, 0.6)], vague).slice(0, 2)).toEqual([0, 1])
  })

  test('ranks a similar passage before those with a rare word', () => {
    expect(order([wordHit(0, 0.2)], [vectorHit(1, 0.7), vectorHit(0, 0.1)])[0]).toBe(1)
  })

  test('ranks passages of both searches first', () => {
    const hits = fuse(
      [wordHit(0, 0.9), wordHit(1, 0.9)],
      [vectorHit(1, 0.6), vectorHit(0, 0.2)],
    )
    expect(hits.map(({ position }) => position)).toEqual([1, 0])
    expect(hits.every(({ score }) => score > 0 && score < 1)).toBe(true)
  })

  test('lowers passages without a name of the question', () => {
    const [named] = fuse([wordHit(0, 0.5)], [vectorHit(0, 0.5)])
    const [nameless] = fuse([wordHit(0, 0.5)], [vectorHit(0, 0.5)], 'name')
    expect(nameless!.score).toBeLessThan(named!.score / 2)
  })
})

describe('relevance', () => {
  const evidence = { coverage: 0, words: 0, match: 0, similarity: null, lacks: null }
  const strong = { ...evidence, coverage: 1, words: 2, match: 0.5 }

  test('is high with all words, with and without a model', () => {
    expect(estimateRelevance(strong)).toBeGreaterThan(0.8)
    expect(estimateRelevance({ ...strong, similarity: 0.5 })).toBeGreaterThan(0.8)
  })

  test('is low without common words, except for similar texts', () => {
    expect(estimateRelevance(evidence)).toBeLessThan(0.05)
    expect(estimateRelevance({ ...evidence, similarity: 0.25 })).toBeLessThan(0.05)
    expect(estimateRelevance({ ...evidence, similarity: 0.85 })).toBeGreaterThan(0.35)
  })
})

describe('similarities', () => {
  test.each([[[]], [[0.4]], [[0.4, 0.4, 0.4]]])('of %j are finite', (similarities) => {
    for (const scale of [shifted, standardized])
      expect(scale(similarities).every(Number.isFinite)).toBe(true)
  })

  test('of a model with high values are compared with their mean', () => {
    const [right, ...others] = standardized([
      0.95,
      ...Array.from({ length: 30 }, () => 0.8),
    ])
    expect(right).toBeGreaterThan(0.5)
    expect(Math.max(...others)).toBeLessThan(0.2)
  })

  test('of another language than English do not count as such', () => {
    expect(shifted([0.5, 0.45, 0.55])[0]).toBeLessThan(0.4)
    expect(shifted([0.5, 0.1, 0.05])[0]).toBeCloseTo(0.49)
  })
})
