import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Completions, openCompletions } from './completions.ts'

/** Requests without a response, in the order in which they arrived. */
const pending: { material: string; response: ServerResponse }[] = []
const server = createServer(async (request, response) => {
  let text = ''
  for await (const part of request) text += part
  pending.push({ material: JSON.parse(text).messages[1].content, response })
})
let completions: Completions
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  completions = openCompletions({ url, key: null, model: 'm' }, pino({ enabled: false }))
})
afterAll(async () => {
  await completions.close()
  server.close()
})

const respond = ({ response }: (typeof pending)[number]) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ choices: [{ message: { content: 'ok' } }] }))

test('a workspace with many questions leaves the next turn to another one', async () => {
  const ask = (workspace: string, material: string) =>
    completions.complete({ instructions: '', material, schema: {} }, workspace)
  const all = [
    ...Array.from({ length: 8 }, (_, i) => ask('a', `a${i}`)),
    ...['b0', 'b1'].map((material) => ask('b', material)),
  ]
  await vi.waitFor(() => expect(pending).toHaveLength(4))
  const order: string[] = []
  while (order.length < all.length) {
    const next = pending.shift()!
    order.push(next.material)
    respond(next)
    const left = Math.min(4, all.length - order.length)
    await vi.waitFor(() => expect(pending).toHaveLength(left))
  }
  expect(await Promise.all(all)).toHaveLength(10)
  expect(order.slice(0, 4).every((material) => material.startsWith('a'))).toBe(true)
  expect(order.slice(4, 8)).toEqual(expect.arrayContaining(['b0', 'b1']))
})
