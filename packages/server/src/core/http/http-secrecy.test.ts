// A user key may be part of a URL. The server must not log or return it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { captureLog } from '../../../test/support/captured-log.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'

let scene: Scene
const kept = captureLog()
beforeAll(async () => {
  scene = await openScene({ log: kept.log })
})
afterAll(() => scene.close())

test('omits user keys of URLs from logs and responses', async () => {
  const base = await scene.listen()
  const { headers } = await scene.chatUser()
  const keys = {
    good: headers['x-user-key']!,
    bad: `${'h'.repeat(20)}.${'c'.repeat(20)}.${'s'.repeat(43)}`,
    odd: 'odd-key-odd-key',
  }
  const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers,
    body: {},
  })
  const paths = [
    `/chat/${scene.webhookId}/conversations/${body.conversation.id}/listen`,
    `/chat/${scene.webhookId}/conversations/nothing/listen`,
    `/chat/${scene.webhookId}/conversations/%00/listen`,
    `/chat/%zz/conversations/a/listen`,
    `/chat/nothing/conversations/a/listen`,
    '/nothing/here',
    `/webhooks/nothing`,
  ]
  const outcomes = new Map<string, number>()
  let answers = ''
  const note = (what: string) => outcomes.set(what, (outcomes.get(what) ?? 0) + 1)
  const knock = (path: string) =>
    new Promise<void>((resolve) => {
      const socket = new WebSocket(base.replace('http', 'ws') + path)
      socket.on('open', () => {
        note('open')
        socket.close()
      })
      socket.on('unexpected-response', (_request, reply) => {
        note(String(reply.statusCode))
        reply.on('data', (chunk) => (answers += chunk))
        reply.on('end', () => socket.terminate())
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve())
    })
  const ask = async (path: string) => {
    const reply = await scene.app.server.inject({
      method: 'GET',
      url: path,
      headers: { referer: base + path },
    })
    answers += reply.body
  }
  for (const key of Object.values(keys)) {
    for (const path of paths) {
      await knock(`${path}?x-user-key=${key}`)
      if (!path.includes(body.conversation.id)) await ask(`${path}?x-user-key=${key}`)
    }
  }
  const before = kept.text().length
  // Internal errors are logged with all details of the request.
  const { userKeys } = scene.app.services
  const { read } = userKeys
  userKeys.read = () => Promise.reject(new Error('the test breaks it'))
  await scene.app.server.inject({
    method: 'GET',
    url: `${paths[0]}?x-user-key=${keys.good}`,
    headers: { 'x-user-key': keys.good, authorization: `Bearer ${keys.odd}` },
  })
  await knock(`${paths[0]}?x-user-key=${keys.good}`)
  userKeys.read = read

  expect(Object.fromEntries(outcomes)).toMatchObject({
    open: 1,
    400: expect.any(Number),
    401: expect.any(Number),
    403: expect.any(Number),
    404: expect.any(Number),
    500: 1,
  })
  expect(kept.text().slice(before)).toMatch(/the test breaks it.*the test breaks it/s)
  expect(kept.text()).toContain('"route":"/chat/:webhookId/conversations/:id/listen"')
  for (const key of Object.values(keys))
    for (const part of key.split('.').slice(-1))
      expect([kept.text().includes(part), answers.includes(part)]).toEqual([false, false])
})
