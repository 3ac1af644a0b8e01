// Text of a model for the listeners of a conversation, while the bot's code waits for it.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type AnsweringScene,
  openAnsweringScene,
  type Talker,
} from '../../../../test/support/answering-bot.ts'

let scene: AnsweringScene
beforeAll(async () => {
  scene = await openAnsweringScene()
}, 60_000)
afterAll(() => scene?.close(), 60_000)

const until = { timeout: 15_000, interval: 10 }
const deltas = ({ signals }: Talker) =>
  signals('message_stream_delta').map(({ data }) => data)
const joinText = (talker: Talker) =>
  deltas(talker)
    .map(({ delta }) => delta)
    .join('')
const answered = (talker: Talker) =>
  vi.waitFor(
    () =>
      expect(talker.signals('message_created').some(({ data }) => data.isBot)).toBe(true),
    until,
  )
const pieces = Array.from({ length: 40 }, (_, index) => `word${index} `)

test.each(['stream', 'whole'])(
  'publishes the text of a %s as it arrives, and stores it once',
  async (how) => {
    scene.replies.push({ text: pieces, pieceMs: 10 })
    const talker = await scene.talk()
    await talker.say(`${how} please`)
    await vi.waitFor(() => expect(deltas(talker).length).toBeGreaterThan(1), until)
    expect(await talker.answers()).toEqual([])
    await answered(talker)

    const all = deltas(talker)
    expect(joinText(talker)).toBe(pieces.join(''))
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index))
    expect(all[0]).toEqual({
      streamId: `answer to ${how} please`,
      conversationId: talker.conversationId,
      userId: scene.botId,
      createdAt: expect.stringMatching(/Z$/),
      sequence: 0,
      delta: expect.any(String),
    })
    // 400 ms of text, gathered for 40 ms.
    expect(all.length).toBeLessThan(25)
    const types = talker.reader.frames.map(({ type }) => type)
    expect(types.slice(types.lastIndexOf('message_stream_delta') + 1)).toEqual([
      'message_stream_complete',
      'message_created',
    ])
    expect(await talker.answers()).toEqual([pieces.join('')])
  },
)

test('aborts the stream when the model fails in the middle, and begins again', async () => {
  scene.replies.push({ text: pieces, pieceMs: 10, cutAfter: 20 })
  const talker = await scene.talk()
  await talker.say('stream a failure')
  await vi.waitFor(
    () => expect(talker.signals('message_stream_abort')).toHaveLength(1),
    until,
  )
  expect(talker.signals('message_stream_abort')[0]!.data).toEqual({
    streamId: 'answer to stream a failure',
    conversationId: talker.conversationId,
  })
  // The event is delivered again.
  await answered(talker)
  const again = deltas(talker).filter(({ delta }) => delta === 'Hello')
  expect(again).toMatchObject([{ sequence: 0, streamId: 'answer to stream a failure' }])
  expect(await talker.answers()).toEqual(['Hello'])
})

test('discards text before tool calls', async () => {
  const toolCalls = [{ id: 'call_1', name: 'weather', input: '{}' }]
  scene.replies.push({ text: ['Let me look'], toolCalls })
  const talker = await scene.talk()
  const [publishTo, messages] = [
    { conversationId: talker.conversationId, streamId: 's' },
    [{ role: 'user', content: 'Hi' }],
  ]
  const { status } = await scene.call('POST', '/v2/cognitive/generate-text', {
    headers: scene.asBot,
    body: { messages, model: 'openai:gpt', options: { publishTo } },
  })
  expect(status).toBe(200)
  await vi.waitFor(
    () => expect(talker.signals('message_stream_abort')).toHaveLength(1),
    until,
  )
  expect(joinText(talker)).toBe('Let me look')
})

test('divides long text, so that listeners of another server receive it', async () => {
  const other = await scene.openOther()
  const long = ['\u0001'.repeat(2_500), '🙂'.repeat(1_500), 'end']
  scene.replies.push({ text: long, pieceMs: 60 })
  try {
    const talker = await scene.talk(other.url)
    await talker.say('whole please')
    await answered(talker)
    expect(joinText(talker)).toBe(long.join(''))
    expect(
      Math.max(...deltas(talker).map(({ delta }) => delta.length)),
    ).toBeLessThanOrEqual(1_000)
    for (const { delta } of deltas(talker)) expect(delta.isWellFormed()).toBe(true)
  } finally {
    await other.app.close()
  }
})

test("rejects another bot's conversation, and one that does not exist", async () => {
  const talker = await scene.talk()
  const body = { headers: scene.admin, body: { name: 'other' } }
  const { body: made } = await scene.call('POST', '/v1/admin/bots', body)
  const ask = (headers: Record<string, string>, conversationId: string) =>
    scene.call('POST', '/v2/cognitive/generate-text-stream', {
      headers,
      body: {
        messages: [{ role: 'user', content: 'Hi' }],
        options: { publishTo: { conversationId, streamId: 's' } },
      },
    })
  const asOther = { ...scene.asBot, 'x-bot-id': made.bot.id }
  const count = scene.provider.requests.length
  for (const reply of [
    await ask(asOther, talker.conversationId),
    await ask(scene.asBot, 'conv_01J00000000000000000000000'),
    await ask(scene.asBot, '__proto__'),
  ])
    expect(reply).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } })
  expect((await ask(scene.asBot, '')).body.type).toBe('InvalidPayload')
  expect(scene.provider.requests).toHaveLength(count)
  expect(deltas(talker)).toEqual([])
})

test('streams the text of a card `aiText`', async () => {
  const cards = [{ type: 'aiText', instructions: 'Greet', model: 'openai:gpt' }]
  const botJson = {
    kind: 'bot',
    version: 2,
    flows: { main: { nodes: { start: { type: 'start', cards } } } },
  }
  const path = `/v1/admin/bots/${scene.botId}/publish-from-bot-json`
  const published = await scene.call('POST', path, {
    headers: scene.admin,
    body: { botJson },
  })
  expect(published).toMatchObject({ status: 200 })
  scene.replies.push({ text: pieces, pieceMs: 10 })
  const talker = await scene.talk()
  await talker.say('hello')
  await answered(talker)
  expect(joinText(talker)).toBe(pieces.join(''))
  expect(deltas(talker).length).toBeGreaterThan(1)
  const { streamId } = deltas(talker)[0]
  expect(
    talker.signals('message_stream_complete').map(({ data }) => data.streamId),
  ).toEqual([streamId])
  expect(await talker.answers()).toEqual([pieces.join('').trim()])
})
