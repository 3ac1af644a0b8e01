import { expect, test } from 'vitest'
import { clusterVectors, findNearest } from './vector-tasks.ts'

const dimensions = 50
let seed = 11
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647
  return (seed / 2_147_483_647) * 2 - 1
}
const toUnit = (values: number[]) => values.map((value) => value / Math.hypot(...values))
const topics = Array.from({ length: 100 }, () =>
  toUnit(Array.from({ length: dimensions }, random)),
)
const near = (topic: number[], noise: number) =>
  toUnit(topic.map((value) => value + (noise * random()) / 4))
const all = Array.from({ length: 4_000 }, (_, n) => near(topics[n % 100]!, 1))
const values = Float32Array.from(all.flat())

const product = (a: number[], b: number[]) =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0)
const toRows = (flat: Float32Array) =>
  Array.from({ length: flat.length / dimensions }, (_, n) => [
    ...flat.subarray(n * dimensions, (n + 1) * dimensions),
  ])

test('groups vectors around centroids of length 1', () => {
  const centroids = toRows(clusterVectors({ values, dimensions, count: 100 }))
  expect(centroids.length).toBeGreaterThan(90)
  expect(centroids.length).toBeLessThanOrEqual(100)
  for (const centroid of centroids) expect(Math.hypot(...centroid)).toBeCloseTo(1, 5)
  const similarities = all.map((one) =>
    Math.max(...centroids.map((other) => product(one, other))),
  )
  const mean = similarities.reduce((sum, one) => sum + one, 0) / all.length
  const own = all.map((one, n) => product(one, topics[n % 100]!))
  expect(mean).toBeGreaterThan(
    0.9 * (own.reduce((sum, one) => sum + one, 0) / all.length),
  )
})

test('finds the nearest centroid of each vector', () => {
  const centroids = clusterVectors({ values, dimensions, count: 100 })
  const found = findNearest({ values, dimensions, centroids })
  const rows = toRows(centroids)
  const isNearest = all.map((one, n) => {
    const best = Math.max(...rows.map((centroid) => product(one, centroid)))
    return best - product(one, rows[found[n]!]!) < 1e-5
  })
  expect(isNearest.filter((is) => is).length).toBeGreaterThan(0.98 * all.length)
})

test.each([
  ['one vector', Float32Array.of(...all[0]!), 100],
  [
    'equal vectors',
    Float32Array.from(Array.from({ length: 50 }, () => all[0]!).flat()),
    10,
  ],
  ['vectors of zeros', new Float32Array(20 * dimensions), 4],
  ['one group', values, 1],
  ['no vectors', new Float32Array(0), 5],
])('accepts %s', (_, some, count) => {
  const centroids = clusterVectors({ values: some, dimensions, count })
  expect(centroids.every(Number.isFinite)).toBe(true)
  const found = findNearest({ values: some, dimensions, centroids })
  expect(
    found.every((number) => number < Math.max(1, centroids.length / dimensions)),
  ).toBe(true)
})
