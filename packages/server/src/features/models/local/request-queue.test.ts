import { expect, test } from 'vitest'
import { RequestQueue } from './request-queue.ts'

/** A request that the test ends. */
function openGate() {
  let open = (_value?: unknown) => {}
  const opened = new Promise((resolve) => {
    open = resolve
  })
  return { opened, open }
}

test('performs one request at a time, and background requests last', async () => {
  const queue = new RequestQueue()
  const order: string[] = []
  const gate = openGate()
  const perform = (name: string) => async () => void order.push(name)
  const all = [
    queue.run(() => gate.opened, { isBackground: true }),
    queue.run(perform('passage 1'), { isBackground: true }),
    queue.run(perform('passage 2'), { isBackground: true }),
    queue.run(perform('question 1'), {}),
    queue.run(perform('question 2'), { isBackground: false }),
  ]
  expect(order).toEqual([])
  gate.open()
  await Promise.all(all)
  expect(order).toEqual(['question 1', 'question 2', 'passage 1', 'passage 2'])
})

test('rejects at the time limit, and performs the next request after the one that runs', async () => {
  const queue = new RequestQueue()
  const gate = openGate()
  const performed: string[] = []
  const running = queue.run(() => gate.opened, { signal: AbortSignal.timeout(20) })
  const signal = AbortSignal.timeout(10)
  const waiting = queue.run(async () => performed.push('waiting'), { signal })
  const next = queue.run(async () => performed.push('next'), {})
  await expect(waiting).rejects.toThrow(/timeout/)
  await expect(running).rejects.toThrow(/timeout/)
  expect(performed).toEqual([])
  gate.open()
  await next
  expect(performed).toEqual(['next'])
  await expect(queue.run(async () => {}, { signal })).rejects.toThrow(/timeout/)
})

test('continues after a request that fails', async () => {
  const queue = new RequestQueue()
  const failing = queue.run(async () => {
    throw new Error('broken')
  }, {})
  await expect(failing).rejects.toThrow('broken')
  expect(await queue.run(async () => 5, {})).toBe(5)
})
