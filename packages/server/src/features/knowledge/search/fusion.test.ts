import { expect, test } from 'vitest'
import { fuse } from './fusion.ts'
import { standingOut } from './vectors.ts'

const hits = (scores: number[], first = 0) =>
  scores.map((score, at) => ({ fileId: 'f', position: first + at, score }))
const order = (byWords: number[], likenesses: number[]) =>
  fuse(hits(byWords), hits(standingOut(likenesses), 100)).map(({ position }) => position)
/** Similarities of a model that hardly distinguishes texts. */
const crowd = (count: number) => Array.from({ length: count }, (_, at) => 0.8 + 0.01 * Math.sin(at))

test('ranks results with the words before the best of a vague model', () => {
  expect(order([0.6, 0.3], crowd(60)).slice(0, 2)).toEqual([0, 1])
})

test('ranks an outstanding similarity before results with a word or two', () => {
  expect(order([0.3, 0.2], [0.9, ...crowd(60)])[0]).toBe(100)
})

test('ranks results of both searches first, with scores up to 1', () => {
  const both = fuse(hits([1, 0.9]), hits([1], 1))
  expect(both.map(({ position, score }) => [position, Math.round(score * 100)])).toEqual([
    [1, 93],
    [0, 67],
  ])
  expect(fuse(hits([1]), hits([1]))[0]!.score).toBeCloseTo(1)
})

test.each([
  [[], []],
  [[0.4], [0]],
  [
    [0.4, 0.4, 0.4],
    [0, 0, 0],
  ],
])('gives equal scores to %j', (likenesses, scores) => {
  expect(standingOut(likenesses)).toEqual(scores)
})
