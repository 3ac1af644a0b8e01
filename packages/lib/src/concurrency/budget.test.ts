import { expect, test } from 'vitest'
import { openBudget } from './budget.ts'

test('grants the remaining budget in order, and more than all of it only alone', async () => {
  const budget = openBudget(10)
  const order: string[] = []
  const first = (await budget.take(6, 1_000))!
  const large = budget.take(20, 10_000).then((release) => {
    order.push('large')
    return release!
  })
  const small = budget.take(1, 10_000).then((release) => {
    order.push('small')
    return release!
  })
  expect(order).toEqual([])
  first()
  const releaseLarge = await large
  expect(order).toEqual(['large'])
  releaseLarge()
  ;(await small)()
  expect(order).toEqual(['large', 'small'])
})

test('stops waiting after a time limit and admits the next', async () => {
  const budget = openBudget(10)
  await budget.take(6, 1_000)
  const waiting = budget.take(10, 5)
  const next = budget.take(4, 1_000)
  expect(await waiting).toBeNull()
  expect(await next).not.toBeNull()
})
