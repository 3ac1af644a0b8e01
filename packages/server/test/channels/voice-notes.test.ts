// Voice notes as texts: the bot gets the transcript of a model, or at least the message.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  type ModelProvider,
  openModelProvider,
  type Reply,
} from '../support/model-provider.ts'
import { openModelScene } from '../support/model-scene.ts'
import { openRecordingBot, type RecordingBot } from '../support/recording-bot.ts'
import { type ChannelScene, installChannel, openChannelScene, until } from './cases.ts'
import { openTelegram, type Telegram } from './telegram-stand-in.ts'

let provider: ModelProvider
let bot: RecordingBot
let telegram: Telegram
let channel: ChannelScene
let replies: Reply[] = []
beforeAll(async () => {
  provider = await openModelProvider(
    () => replies.shift() ?? { text: ['Two loaves, please '] },
  )
  bot = await openRecordingBot()
  telegram = await openTelegram()
  const open = async () => {
    const scene = await openModelScene(provider.url)
    const [headers, body] = [scene.admin, { url: bot.url }]
    await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, { headers, body })
    return scene
  }
  channel = await openChannelScene('telegram', async () => telegram, open)
})
afterAll(async () => {
  await channel?.close()
  await bot?.close()
  await provider?.close()
})
beforeEach(async () => {
  replies = []
  bot.behave(() => 200)
  await configure({})
  await setRedaction([])
  provider.requests.length = bot.received.length = 0
})

const configure = (more: object) =>
  installChannel(channel.scene, 'telegram', { ...telegram.configuration, ...more })

async function setRedaction(rules: object[]) {
  const body = { rules }
  const { asBot: headers } = channel.scene
  const { status } = await channel.scene.call('PUT', '/v1/platform/redaction', {
    headers,
    body,
  })
  expect(status).toBe(200)
}

/** The page of Ogg that ends a recording of this length. */
function toOpus(seconds: number): Buffer {
  const page = Buffer.alloc(27)
  page.write('OggS')
  page.writeBigInt64LE(BigInt(seconds * 48_000), 6)
  return Buffer.concat([
    Buffer.from('OggS'),
    Buffer.alloc(24),
    Buffer.from('OpusHead'),
    page,
  ])
}

async function speak(content = toOpus(3), from: Parameters<Telegram['receive']>[0] = {}) {
  const file_id = telegram.addFile(content)
  const voice = {
    file_id,
    file_unique_id: `u${file_id}`,
    duration: 3,
    mime_type: 'audio/ogg',
  }
  await telegram.receive({ voice, ...from })
}

/** Waits for the payload that the bot gets. */
async function received(at = 0): Promise<Record<string, unknown>> {
  await until(() => bot.received.length > at)
  return bot.received[at]!.event.payload.message.payload
}

async function logged(text: string) {
  const path = `/v1/admin/bots/${channel.scene.botId}/logs?timeStart=2020-01-01T00:00:00Z`
  const read = async () =>
    (await channel.scene.call('GET', path, { headers: channel.scene.admin })).body
  await vi.waitFor(
    async () => expect(JSON.stringify((await read()).logs)).toContain(text),
    10_000,
  )
}

const transcript = 'Two loaves, please'

test('the bot gets the transcript beside the file, and it is stored, found and paid', async () => {
  await speak()
  expect(await received()).toMatchObject({
    isVoice: true,
    transcript,
    audioUrl: expect.stringMatching(/^http/),
  })
  expect(provider.requests.map(({ path }) => path)).toEqual(['/v1/audio/transcriptions'])
  expect(provider.requests[0]!.raw).toContain('OpusHead')
  const [message] = (await channel.messages()).slice(-1)
  expect(message).toMatchObject({ type: 'audio', payload: { transcript } })
  const { scene } = channel
  const headers = { ...scene.admin, ...scene.asBot }
  const found = await scene.call('GET', '/v1/platform/conversations?text=loaves', {
    headers,
  })
  expect(found.body.conversations).toMatchObject([
    { conversation: { id: message!.conversationId } },
  ])
  const { id, conversationId, userId } = bot.received[0]!.event
  await vi.waitFor(async () => {
    const { body } = await scene.call('GET', '/v1/platform/model-calls', { headers })
    expect(body.calls).toMatchObject([
      {
        kind: 'transcription',
        source: 'voice note',
        eventId: id,
        conversationId,
        userId,
      },
    ])
  }, 10_000)
})

test('a message arrives without a transcript when the model fails, once', async () => {
  replies = Array.from({ length: 9 }, () => ({ status: 400, error: 'no such voice' }))
  bot.behave(() => (bot.received.length === 1 ? 503 : 200))
  await speak()
  expect(await received()).not.toHaveProperty('transcript')
  await received(1)
  expect(provider.requests).toHaveLength(1)
  await logged('A voice note of telegram was not transcribed: ')
})

test('a slow model delays only its conversation', async () => {
  replies = [{ text: ['slow'], delayMs: 1_500 }]
  const other = { id: 77, is_bot: false, first_name: 'Bo' }
  await speak()
  const chat = { id: 77, type: 'private' as const, first_name: 'Bo' }
  await telegram.receive({ text: 'quick', from: other, chat })
  await telegram.say('after the voice note')
  await received(2)
  const said = bot.received.map(
    ({ text, event }) => text || event.payload.message.payload.transcript,
  )
  expect(said).toEqual(['quick', 'slow', 'after the voice note'])
})

test('a repeated delivery of a voice note is transcribed once', async () => {
  bot.behave(() => (bot.received.length === 1 ? 503 : 200))
  await speak()
  expect(await received(1)).toMatchObject({ transcript })
  expect(provider.requests).toHaveLength(1)
})

test.each([
  ['longer than 10 minutes', toOpus(601)],
  ['has more than 10 MB', Buffer.concat([toOpus(3), Buffer.alloc(10 * 2 ** 20)])],
])('a recording that is %s is not transcribed', async (reason, content) => {
  await speak(content)
  expect(await received()).not.toHaveProperty('transcript')
  expect(provider.requests).toHaveLength(0)
  await logged(reason)
})

test('the setting and rules of redaction decide', async () => {
  await configure({ transcribeVoice: 'never' })
  await speak()
  expect(await received()).not.toHaveProperty('transcript')
  await configure({})
  await setRedaction([{ kind: 'email', where: ['models', 'storage'] }])
  await speak()
  expect(await received(1)).not.toHaveProperty('transcript')
  expect(provider.requests).toHaveLength(0)
  await configure({ transcribeVoice: 'always' })
  replies = [{ text: ['Write to ana@example.org'] }]
  await speak()
  expect(await received(2)).toMatchObject({ transcript: 'Write to [e-mail]' })
})

test('files of other servers, and audio that was not recorded, are not transcribed', async () => {
  const file_id = telegram.addFile(Buffer.from('a song'))
  const audio = {
    file_id,
    file_unique_id: 'song',
    duration: 180,
    mime_type: 'audio/mpeg',
  }
  await telegram.receive({ audio })
  expect(await received()).not.toHaveProperty('transcript')
  const { scene } = channel
  const [{ conversationId, userId }] = (await channel.messages()).slice(-1) as never as [
    { conversationId: string; userId: string },
  ]
  const payload = { audioUrl: `${provider.url}/secret`, isVoice: true }
  const body = { conversationId, userId, type: 'audio', payload, tags: {} }
  const headers = { ...scene.asBot, 'x-integration-alias': 'telegram' }
  expect((await scene.call('POST', '/v1/chat/messages', { headers, body })).status).toBe(
    201,
  )
  expect(await received(1)).toEqual(payload)
  expect(provider.requests).toHaveLength(0)
})
