import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextSlice } from './slices.ts'

test('runs one slice per iteration of the event loop', async () => {
  let slices = 0
  const work = async () => {
    for (let i = 0; i < 3; i++) {
      await nextSlice('a')
      slices++
    }
  }
  const all = Promise.all([work(), work(), work()])
  const seen: number[] = []
  while (slices < 9) {
    const before = slices
    await nextIteration()
    seen.push(slices - before)
  }
  await all
  expect(Math.max(...seen)).toBe(1)
})

test('alternates between tenants', async () => {
  const order: string[] = []
  const slice = (tenant: string) => nextSlice(tenant).then(() => order.push(tenant))
  await Promise.all([slice('a'), slice('a'), slice('a'), slice('b')])
  expect(order).toEqual(['a', 'b', 'a', 'a'])
})
