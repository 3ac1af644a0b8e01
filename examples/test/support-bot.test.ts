// The support bot on a recorded model: knowledge, a tool, and a handoff to a colleague. To record
// another model: RECORD=1 BOTSTEAD_MODEL_URL=… BOTSTEAD_MODEL=… npx vitest run support-bot
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readDocument } from '../../packages/cli/src/documents/bot-document.ts'
import { openScene, type Scene } from '../../packages/server/test/support/scene.ts'

const inExample = (path: string) =>
  fileURLToPath(new URL(`../support-bot/${path}`, import.meta.url))
const { RECORD, BOTSTEAD_MODEL_URL: url, BOTSTEAD_MODEL: model } = process.env
const recordings = inExample('recordings')
const config = RECORD
  ? { modelsRecord: recordings, model: { url: url!, model: model!, key: null } }
  : { modelsReplay: recordings }
const soon = { timeout: 30_000, interval: 100 }

let scene: Scene
let chat: string
let client: Client
let botId: string

beforeAll(async () => {
  scene = await openScene({ config })
  const apiUrl = await scene.listen()
  botId = await publish()
  client = new Client({ apiUrl, token: scene.token, botId })
  await run('prepare.mjs')
  await isIndexed()
}, 60_000)
afterAll(() => scene?.close())

async function publish(): Promise<string> {
  const { headers, body } = { headers: scene.admin, body: { name: 'support' } }
  const { bot } = (await scene.call('POST', '/v1/admin/bots', { headers, body })).body
  const { document } = readDocument(inExample('bot.json'))
  const asBot = { ...scene.asBot, 'x-bot-id': bot.id }
  await scene.call('POST', '/v1/files/knowledge-bases', {
    headers: asBot,
    body: { name: 'shop' },
  })
  await scene.call('POST', `/v1/admin/bots/${bot.id}/publish-from-bot-json`, {
    headers,
    body: { botJson: document },
  })
  const { integrations } = (
    await scene.call('GET', `/v1/admin/bots/${bot.id}`, {
      headers: { ...headers, 'x-multiple-integrations': 'true' },
    })
  ).body.bot
  chat = `/chat/${integrations.chat.webhookId}`
  return bot.id
}

/** Runs a script of the documentation. */
async function run(script: string) {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-support-'))
  const credentials = JSON.stringify({ url: client.config.apiUrl, token: scene.token })
  await writeFile(join(folder, 'credentials.json'), credentials)
  const env = { ...process.env, BOTSTEAD_DATA: folder }
  await promisify(execFile)(process.execPath, [inExample(script), botId], { env })
  await rm(folder, { recursive: true })
}

const isIndexed = () =>
  vi.waitFor(async () => {
    const { file } = await client.getFile({ id: 'delivery.md' })
    expect(file.status).toBe('indexing_completed')
  }, soon)

async function openHandoffs() {
  const headers = { ...scene.asBot, 'x-bot-id': botId }
  return (await scene.call('GET', '/v1/platform/handoffs?state=open', { headers })).body
    .handoffs
}

async function openTalk() {
  const { key } = (await scene.call('POST', `${chat}/users`, { body: {} })).body
  const headers = { 'x-user-key': key as string }
  const made = await scene.call('POST', `${chat}/conversations`, { headers, body: {} })
  const { id } = made.body.conversation
  const texts = async () => {
    const path = `${chat}/conversations/${id}/messages`
    const { messages } = (await scene.call('GET', path, { headers })).body
    return messages
      .map(({ payload }: { payload: { text: string } }) => payload.text)
      .reverse()
  }
  return {
    id,
    texts,
    say: (text: string) =>
      scene.call('POST', `${chat}/messages`, {
        headers,
        body: { conversationId: id, payload: { type: 'text', text } },
      }),
  }
}

test('answers, finds an order, and leaves the conversation to a colleague', {
  timeout: 120_000,
}, async () => {
  const talk = await openTalk()
  const expected: string[] = []
  for (const [question, answer] of [
    [
      'How long does delivery take?',
      'Delivery takes two working days. It is free from 40 euros.',
    ],
    ['Where is my order A-1001?', 'Your order A-1001 was sent, and arrives tomorrow.'],
    [
      'My teapot arrived broken!',
      'I have asked a colleague, who will write to you here.',
    ],
  ] as const) {
    expected.push(question, answer)
    await talk.say(question)
    await expect.poll(talk.texts, soon).toEqual(expected)
  }
  // The bot sends its last message before it hands over.
  await expect
    .poll(openHandoffs, soon)
    .toMatchObject([{ conversationId: talk.id, reason: 'broken teapot' }])

  await talk.say('Are you there?')
  expected.push('Are you there?')
  const handled = async () =>
    (await client.listEvents({ conversationId: talk.id })).events.map(
      ({ status }) => status,
    )
  await expect.poll(handled, soon).not.toContain('pending')
  expect(await talk.texts()).toEqual(expected)

  await run('answer.mjs')
  expected.push('I send you a new one.')
  expect(await talk.texts()).toEqual(expected)
  expect(await openHandoffs()).toEqual([])
  await talk.say('How long does delivery take?')
  expected.push('How long does delivery take?', expected[1]!)
  await expect.poll(talk.texts, soon).toEqual(expected)
})
