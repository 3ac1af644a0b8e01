import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { shareNext } from './share-next.ts'

test('calls that arrive while one runs share a newer one', async () => {
  let begun = 0
  const call = shareNext(async () => {
    const nth = ++begun
    await pause(20)
    return nth
  })
  const first = [call(), call()]
  await pause(5)
  const later = [call(), call(), call()]
  expect(await Promise.all([...first, ...later])).toEqual([1, 1, 2, 2, 2])
  expect(await call()).toBe(3)
})

test('a failed call leaves later ones unharmed', async () => {
  let begun = 0
  const call = shareNext(async () => {
    if (++begun === 1) throw new Error('first')
    return begun
  })
  await expect(call()).rejects.toThrow('first')
  expect(await call()).toBe(2)
})
