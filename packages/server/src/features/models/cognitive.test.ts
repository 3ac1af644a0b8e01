// `@botpress/cognitive` from npm calls the gateway, which calls a stand-in for the providers.
import { setTimeout as pause } from 'node:timers/promises'
import { CognitiveBeta } from '@botpress/cognitive'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ModelProvider,
  openModelProvider,
  type Reply,
} from '../../../test/support/model-provider.ts'
import {
  keys,
  type ModelScene,
  openModelScene,
} from '../../../test/support/model-scene.ts'

let provider: ModelProvider
let scene: ModelScene
let apiUrl: string
let client: CognitiveBeta
let replies: Reply[]

beforeAll(async () => {
  provider = await openModelProvider(() => replies.shift() ?? {})
  scene = await openModelScene(provider.url)
  apiUrl = await scene.listen()
  client = new CognitiveBeta({ apiUrl, botId: scene.botId, token: scene.token })
})
afterAll(async () => {
  await scene?.close()
  await provider?.close()
})
beforeEach(() => {
  replies = []
  provider.requests.length = 0
})

const question = { messages: [{ role: 'user' as const, content: 'Hi' }] }
const typed = [
  'openai:gpt',
  'anthropic:claude',
  'google-ai:gemini',
  'mistral:small',
  'local:llama',
]

async function readChunks(stream: AsyncIterable<unknown>) {
  // biome-ignore lint/suspicious/noExplicitAny: chunks of any version of the client
  const chunks: any[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

describe.each(typed)('%s', (model) => {
  test('generates text with costs', async () => {
    replies = [{ text: ['Good ', 'day'], inputTokens: 1_000, outputTokens: 100 }]
    const { output, metadata } = await client.generateText({ ...question, model })
    expect(output).toBe('Good day')
    expect(metadata).toMatchObject({
      provider: model.split(':')[0],
      model,
      usage: { inputTokens: 1_000, outputTokens: 100 },
      cached: false,
      stopReason: 'stop',
    })
  })

  test('streams text', async () => {
    replies = [{ text: ['Good ', 'day'], inputTokens: 20, outputTokens: 4 }]
    const chunks = await readChunks(client.generateTextStream({ ...question, model }))
    expect(chunks.map(({ output }) => output).filter(Boolean)).toEqual(['Good ', 'day'])
    expect(chunks.at(-1)).toMatchObject({
      finished: true,
      metadata: { model, usage: { inputTokens: 20, outputTokens: 4 } },
    })
    expect(chunks.filter(({ finished }) => finished)).toHaveLength(1)
  })

  test('calls tools and accepts their results', async () => {
    const tools = [
      {
        name: 'weather',
        description: 'Get the weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
      },
    ]
    const toolCalls = [{ id: 'call_12345', name: 'weather', input: '{"city":"Graz"}' }]
    replies = [{ toolCalls }, { toolCalls }, { text: ['Sunny'] }]
    const request = { ...question, model, tools } as never
    // biome-ignore lint/suspicious/noExplicitAny: the types of 0.5 lack tools, which 1.1 has
    const answer = (await client.generateText(request)) as any
    expect(answer.toolCalls).toEqual([
      { id: expect.any(String), name: 'weather', input: { city: 'Graz' } },
    ])
    expect(answer.metadata.stopReason).toBe('tool_calls')
    const chunks = await readChunks(client.generateTextStream(request))
    expect(chunks.at(-1).toolCalls).toEqual([
      { id: expect.any(String), name: 'weather', input: { city: 'Graz' } },
    ])
    const { id } = answer.toolCalls[0]
    const messages = [
      ...question.messages,
      {
        role: 'assistant',
        content: null,
        type: 'tool_calls',
        toolCalls: [
          {
            id,
            type: 'function',
            function: { name: 'weather', arguments: { city: 'Graz' } },
          },
        ],
      },
      { role: 'user', type: 'tool_result', toolResultCallId: id, content: '21 degrees' },
    ]
    const { output } = await client.generateText({ messages, model, tools } as never)
    expect(output).toBe('Sunny')
    expect(provider.requests[2]!.raw).toContain('21 degrees')
  })

  test('sends settings', async () => {
    await client.generateText({
      ...question,
      model,
      systemPrompt: 'Be brief',
      temperature: 0.3,
      maxTokens: 77,
      stopSequences: ['END'],
      responseFormat: 'json',
    })
    for (const text of ['Be brief', '0.3', '77', 'END'])
      expect(provider.requests[0]!.raw).toContain(text)
  })
})

test('computes costs from prices', async () => {
  replies = [{ inputTokens: 1_000_000, outputTokens: 500_000 }]
  const { metadata } = await client.generateText({ ...question, model: 'openai:gpt' })
  expect(metadata.usage).toMatchObject({ inputCost: 2, outputCost: 4 })
  expect(metadata.cost).toBe(6)
})

test('resolves auto, best and fast', async () => {
  const findModel = async (model?: string) =>
    (await client.generateText(model ? { ...question, model } : question)).metadata.model
  expect(await findModel()).toBe('openai:gpt')
  expect(await findModel('auto')).toBe('openai:gpt')
  expect(await findModel('best')).toBe('anthropic:claude')
  expect(await findModel('fast')).toBe('local:llama')
})

test('lists models', async () => {
  const models = await client.listModels()
  expect(models.map(({ id }) => id)).toEqual(expect.arrayContaining(typed))
  expect(models.find(({ id }) => id === 'anthropic:claude')).toMatchObject({
    aliases: ['best'],
    input: { costPer1MTokens: 3 },
    lifecycle: 'production',
  })
})

test('ignores unknown keys of the body', async () => {
  const { output } = await client.generateText({
    ...question,
    signal: {},
    novel: 1,
  } as never)
  expect(output).toBe('Hello')
})

test('answers 400 for an unknown model, and names the known ones', async () => {
  await expect(
    client.generateText({ ...question, model: 'nobody:nothing' }),
  ).rejects.toMatchObject({
    response: {
      status: 400,
      data: { type: 'ReferenceNotFound', message: expect.stringContaining('openai:gpt') },
    },
  })
  expect(provider.requests).toHaveLength(0)
})

test('rejects a tool result without its call', async () => {
  const messages = [
    { role: 'user', type: 'tool_result', toolResultCallId: 'x', content: 'y' },
  ]
  await expect(client.generateText({ messages } as never)).rejects.toMatchObject({
    response: {
      status: 400,
      data: { message: expect.stringContaining('toolResultCallId') },
    },
  })
})

test('decodes data URIs, and fetches URLs that the model cannot read', async () => {
  const image = `data:image/png;base64,${Buffer.from('pixels').toString('base64')}`
  const content = [
    { type: 'text' as const, text: 'Describe' },
    { type: 'image' as const, url: image },
  ]
  await client.generateText({
    messages: [{ role: 'user', content }],
    model: 'openai:gpt',
  })
  expect(provider.requests[0]!.raw).toContain(Buffer.from('pixels').toString('base64'))
})

test('a provider that rejects the request gives 400 with its reason', async () => {
  replies = [{ status: 400, error: 'temperature must be below 2' }]
  await expect(
    client.generateText({ ...question, model: 'openai:gpt' }),
  ).rejects.toMatchObject({
    response: {
      status: 400,
      data: {
        type: 'InvalidPayload',
        message: expect.stringContaining('temperature must be below 2'),
        metadata: {
          subtype: 'UPSTREAM_PROVIDER_FAILED',
          model: 'openai:gpt',
          status: 400,
        },
      },
    },
  })
  expect(provider.requests).toHaveLength(1)
})

test('never repeats a key that a provider quotes', async () => {
  replies = [{ status: 400, error: `bad key ${keys.STAND_IN_OPENAI_KEY} in request` }]
  const error = await client
    .generateText({ ...question, model: 'openai:gpt' })
    .catch((one) => one)
  expect(JSON.stringify(error.response.data)).not.toContain('standin')
})

test('a stream that is cut ends with an error line', async () => {
  replies = [{ text: ['One ', 'two ', 'three'], cutAfter: 2, pieceMs: 20 }]
  const chunks = await readChunks(
    client.generateTextStream({ ...question, model: 'openai:gpt' }),
  )
  expect(
    chunks
      .map(({ output }) => output)
      .filter(Boolean)
      .join(''),
  ).toMatch(/^One/)
  expect(chunks.at(-1)).toMatchObject({ finished: true, error: expect.any(String) })
})

test('a stream without its last event ends with an error line', async () => {
  replies = [{ text: ['One ', 'two'], noEnd: true }]
  const chunks = await readChunks(
    client.generateTextStream({ ...question, model: 'anthropic:claude' }),
  )
  expect(chunks.at(-1)).toMatchObject({
    finished: true,
    error: expect.stringContaining('ended'),
  })
})

test('silence in a stream ends it', async () => {
  replies = [{ text: ['One ', 'two '], pieceMs: 5_000 }]
  const options = { maxIdleTime: 200 }
  const chunks = await readChunks(
    client.generateTextStream({ ...question, model: 'openai:gpt', options } as never),
  )
  expect(chunks.at(-1)).toMatchObject({ error: expect.stringContaining('200 ms') })
})

/** Disconnects in the middle of a response; returns the ms until the provider's request ends. */
async function disconnectFrom(path: string): Promise<number> {
  provider.requests.length = 0
  const isStream = path.endsWith('stream')
  const text = Array.from({ length: 500 }, () => 'word ')
  replies = [{ text, delayMs: isStream ? 100 : 3_000, pieceMs: 20 }]
  const controller = new AbortController()
  const request = fetch(`${apiUrl}/v2/cognitive/${path}`, {
    method: 'POST',
    headers: { ...scene.asBot, 'content-type': 'application/json' },
    body: JSON.stringify({ ...question, model: 'openai:gpt' }),
    signal: controller.signal,
  })
    .then((response) => response.text())
    .catch(() => {})
  while (provider.requests.length === 0) await pause(5)
  await pause(isStream ? 250 : 50)
  const at = performance.now()
  controller.abort()
  await request
  while (provider.requests[0]!.closedAt === null) await pause(1)
  expect(provider.requests).toHaveLength(1)
  return provider.requests[0]!.closedAt! - at
}

test.each(['generate-text', 'generate-text-stream'])(
  'a client that disconnects from %s ends the upstream request within 100 ms',
  async (path) => {
    const times: number[] = []
    for (let i = 0; i < 7; i++) times.push(await disconnectFrom(path))
    // The median: client, server and provider share one busy process.
    expect(times.sort((a, b) => a - b)[3]).toBeLessThan(100)
  },
)

test("a bot's own key calls it, and another bot's does not", async () => {
  const key = await scene.call('POST', '/v1/admin/bots/baks', {
    headers: scene.admin,
    body: { botId: scene.botId },
  })
  const withKey = (botId: string) =>
    new CognitiveBeta({ apiUrl, botId, token: key.body.value }).generateText(question)
  expect((await withKey(scene.botId)).output).toBe('Hello')
  await expect(withKey('bot_01KAJ0ZP5S8V3N7Q4XW2R9TDHM')).rejects.toMatchObject({
    response: { status: 403 },
  })
})
