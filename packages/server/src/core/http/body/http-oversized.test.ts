// Clients that send too large a body receive an error response instead of a broken pipe: they take
// that for a failed connection and retry.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectTyped } from '../../../../test/support/raw-http.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'

const MB = 1_048_576

interface Job {
  client: 'http' | 'fetch' | 'undici' | 'runtimeClient' | 'chatClient'
  size: number
  tries: number
  [detail: string]: unknown
}
interface Outcome {
  status?: number
  body?: unknown
  failed?: string
}

let scene: Scene
let base: string
let userKey: string
let sender: ChildProcess
beforeAll(async () => {
  scene = await openScene()
  base = await scene.listen()
  userKey = (await scene.chatUser()).headers['x-user-key']!
  sender = fork(
    fileURLToPath(new URL('../../../../test/support/oversized.mjs', import.meta.url)),
    {
      execArgv: [],
    },
  )
})
afterAll(async () => {
  sender.kill()
  await scene.close()
})

const send = (job: Job) =>
  new Promise<Outcome[]>((resolve) => {
    sender.once('message', resolve as (message: unknown) => void)
    sender.send(job)
  })

const json = 'application/json'
const chatTarget = () => ({
  method: 'POST',
  path: `/chat/${scene.webhookId}/conversations`,
  headers: { 'content-type': json, 'x-user-key': userKey },
})

// [times too large, tries]: if the server answers and closes at once, many responses over 5 MB are
// lost.
describe.each([
  [1.1, 12],
  [5, 10],
  [50, 2],
])('%d times the limit', (times, tries) => {
  test.each(['http', 'fetch', 'undici', 'runtimeClient', 'chatClient'] as const)(
    'returns 413 to %s',
    async (client) => {
      const details = {
        base,
        token: scene.token,
        botId: scene.botId,
        chatUrl: `${base}/chat/${scene.webhookId}`,
        userKey,
        ...chatTarget(),
      }
      const outcomes = await send({
        client,
        size: Math.ceil(times * MB),
        tries,
        ...details,
      })
      expect(outcomes.map(({ status, failed }) => failed ?? status)).toEqual(
        Array(tries).fill(413),
      )
      for (const { body } of outcomes) expectTyped(413, body, 'PayloadTooLarge')
    },
  )
})

// The same applies to every request that is rejected before its body is read.
describe.each<
  [
    string,
    number,
    () => { method: string; path: string; headers: Record<string, string> },
  ]
>([
  ['without a key', 401, () => ({ ...chatTarget(), headers: { 'content-type': json } })],
  [
    'without a bot',
    400,
    () => ({
      method: 'POST',
      path: '/v1/chat/users',
      headers: { 'content-type': json, authorization: `Bearer ${scene.token}` },
    }),
  ],
  ['at an unknown path', 404, () => ({ ...chatTarget(), path: '/nothing' })],
  ['at an unknown webhook', 404, () => ({ ...chatTarget(), path: '/webhooks/nothing' })],
  [
    'with an invalid content type',
    415,
    () => ({
      ...chatTarget(),
      headers: { 'content-type': 'nonsense', 'x-user-key': userKey },
    }),
  ],
  [
    'with another content type',
    415,
    () => ({
      method: 'PUT',
      path: `/v1/admin/bots/${scene.botId}`,
      headers: { ...scene.admin, 'content-type': 'image/png' },
    }),
  ],
  [
    'compressed',
    415,
    () => ({
      method: 'POST',
      path: '/v1/tables',
      headers: { ...scene.asBot, 'content-type': json, 'content-encoding': 'gzip' },
    }),
  ],
  [
    'that is not JSON',
    400,
    () => ({
      method: 'POST',
      path: '/v1/tables',
      headers: { ...scene.asBot, 'content-type': json },
    }),
  ],
  [
    'at an invalid path encoding',
    400,
    () => ({ ...chatTarget(), path: '/chat/%zz/users' }),
  ],
])('5 MB %s', (_, status, getTarget) => {
  test.each(['http', 'fetch'] as const)('returns the error to %s', async (client) => {
    const outcomes = await send({ client, size: 5 * MB, tries: 4, base, ...getTarget() })
    expect(outcomes.map(({ status, failed }) => failed ?? status)).toEqual(
      Array(4).fill(status),
    )
    for (const { body } of outcomes) expectTyped(status, body)
  })
})
