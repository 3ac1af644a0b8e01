// Pages follow the live stream. Queries that refetch by time, for amounts without notes, do it rarely.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const minMs = 10_000
const root = new URL('..', import.meta.url)
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))

/** Returns the ms of a product of numbers, or of a constant of any source; NaN if it is unknown. */
function toMs(expression: string): number {
  if (!/^[a-zA-Z]/.test(expression))
    return expression
      .split('*')
      .reduce((product, each) => product * Number(each.replaceAll('_', '')), 1)
  const values = sources.flatMap(({ text }) =>
    [...text.matchAll(new RegExp(`const ${expression} = ([\\d_* ]+)$`, 'gm'))].map(
      ([, value]) => value!,
    ),
  )
  return Math.min(
    ...values.map(toMs),
    values.length > 0 ? Number.POSITIVE_INFINITY : Number.NaN,
  )
}

test('no query refetches more often than every 10 seconds', () => {
  const found = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/refetchInterval: ([\w* ]+)/g)]
      // The option of lists, which their pages set.
      .filter(() => path !== 'api/pages.ts')
      .map(([, expression]) => ({ path, ms: toMs(expression!.trim()) })),
  )
  expect(found.length).toBeGreaterThan(5)
  expect(found.filter(({ ms }) => !(ms >= minMs))).toEqual([])
})

test('only the clock of ages and the lease of kept edits repeat by a timer', () => {
  const paths = sources
    .filter(({ text }) => text.includes('setInterval('))
    .map(({ path }) => path)
  expect(paths.sort()).toEqual([
    'features/studio/draft/use-draft.tsx',
    'parts/texts/clock.ts',
  ])
})
