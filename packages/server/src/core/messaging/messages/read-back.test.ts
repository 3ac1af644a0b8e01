// Signals for a listener are read from two tables. Concurrent writes to both must not skip a
// number.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { readSignals } from './message-signals.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

test('reads every signal number in order while messages and events are written', {
  timeout: 30_000,
}, async () => {
  const user = await scene.chatUser()
  const chat = (path: string, body: unknown) =>
    scene.call('POST', `/chat/${scene.webhookId}${path}`, { headers: user.headers, body })
  const conversationId = (await chat('/conversations', {})).body.conversation.id as string
  const { db } = scene.app.services
  let writing = true
  let at = 0n
  const gaps: string[] = []
  const read = async () => {
    while (writing) {
      for (const { number } of await readSignals(
        db,
        scene.botId,
        conversationId,
        String(at),
        7,
      )) {
        if (number === null) continue
        if (BigInt(number) !== at + 1n) gaps.push(`${number} after ${at}`)
        at = BigInt(number)
      }
    }
  }
  const write = async (path: string, body: unknown) => {
    for (let i = 0; i < 100; i++) expect((await chat(path, body)).status).toBe(201)
  }
  const reading = read()
  await Promise.all([
    write('/messages', { conversationId, payload: { type: 'text', text: 'x' } }),
    write('/events', { conversationId, payload: { any: 'thing' } }),
    write('/messages', { conversationId, payload: { type: 'text', text: 'y' } }),
  ])
  await new Promise((resolve) => setTimeout(resolve, 300))
  writing = false
  await reading
  expect(gaps).toEqual([])
  expect(at).toBe(300n)
})
