// The OpenAI-compatible API, called by the AI SDK's client of OpenAI, and audio and images.
import { createOpenAI } from '@ai-sdk/openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ModelProvider,
  openModelProvider,
  type Reply,
} from '../../../test/support/model-provider.ts'
import { type ModelScene, openModelScene } from '../../../test/support/model-scene.ts'

let provider: ModelProvider
let scene: ModelScene
let url: string
let key: string
let replies: Reply[]

beforeAll(async () => {
  provider = await openModelProvider(() => replies.shift() ?? {})
  scene = await openModelScene(provider.url)
  url = await scene.listen()
  const { body } = await scene.call('POST', '/v1/admin/bots/baks', {
    headers: scene.admin,
    body: { botId: scene.botId },
  })
  key = body.value
})
afterAll(async () => {
  await scene?.close()
  await provider?.close()
})
beforeEach(() => {
  replies = []
  provider.requests.length = 0
})

const openai = () => createOpenAI({ apiKey: key, baseURL: `${url}/v1/openai` })
const prompt = [
  { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] },
]

async function readParts<Part>(stream: ReadableStream<Part>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of stream as never as AsyncIterable<Part>) parts.push(part)
  return parts
}

describe('chat completions', () => {
  test('generates text for a bot key alone', async () => {
    replies = [{ text: ['Good day'], inputTokens: 7, outputTokens: 3 }]
    const { content, usage, finishReason } = await openai()
      .chat('anthropic:claude')
      .doGenerate({ prompt })
    expect(content).toEqual([expect.objectContaining({ type: 'text', text: 'Good day' })])
    expect(usage).toMatchObject({ inputTokens: { total: 7 }, outputTokens: { total: 3 } })
    expect(finishReason.unified).toBe('stop')
  })

  test('streams text, tools and usage', async () => {
    replies = [
      { text: ['Good ', 'day'], inputTokens: 7, outputTokens: 3 },
      { toolCalls: [{ id: 'call_1', name: 'weather', input: '{"city":"Graz"}' }] },
    ]
    const model = openai().chat('local:llama')
    const parts = await readParts((await model.doStream({ prompt })).stream)
    const deltas = parts.flatMap((part) =>
      part.type === 'text-delta' ? [part.delta] : [],
    )
    expect(deltas.filter(Boolean)).toEqual(['Good ', 'day'])
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      usage: { inputTokens: { total: 7 } },
    })
    const tools = [
      {
        type: 'function' as const,
        name: 'weather',
        inputSchema: { type: 'object' as const },
      },
    ]
    const calls = await readParts((await model.doStream({ prompt, tools })).stream)
    expect(calls.find(({ type }) => type === 'tool-call')).toMatchObject({
      toolName: 'weather',
      input: '{"city":"Graz"}',
    })
  })

  test('names the model that answered an alias, in streams, too', async () => {
    const complete = async (stream: boolean) => {
      const response = await fetch(`${url}/v1/openai/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'fast',
          stream,
          stream_options: { include_usage: stream },
          messages: [{ role: 'user', content: 'Hi' }],
        }),
      })
      return [...(await response.text()).matchAll(/"model":"([^"]+)"/g)].map(
        ([, model]) => model,
      )
    }
    replies = [{ text: ['Hi'] }, { text: ['Hi'] }]
    expect(await complete(false)).toEqual(['local:llama'])
    const named = await complete(true)
    expect(named.length).toBeGreaterThan(2)
    expect(new Set(named)).toEqual(new Set(['local:llama']))
  })

  test('accepts results of tools', async () => {
    const input = { city: 'Graz' }
    const output = { type: 'text' as const, value: '21 degrees' }
    await openai()
      .chat('anthropic:claude')
      .doGenerate({
        prompt: [
          ...prompt,
          {
            role: 'assistant',
            content: [
              { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input },
            ],
          },
          {
            role: 'tool',
            content: [
              { type: 'tool-result', toolCallId: 'call_1', toolName: 'weather', output },
            ],
          },
        ],
      })
    expect(provider.requests[0]!.raw).toContain('21 degrees')
  })

  test('answers errors in the format of OpenAI', async () => {
    const response = await fetch(`${url}/v1/openai/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'nobody:x',
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('nobody:x'), code: 'MODEL_NOT_FOUND' },
    })
  })

  test('a personal token must name the bot', async () => {
    const { status } = await scene.call('POST', '/v1/openai/chat/completions', {
      headers: { authorization: `Bearer ${scene.token}` },
      body: { model: 'auto', messages: [{ role: 'user', content: 'Hi' }] },
    })
    expect(status).toBe(400)
  })
})

test('creates embeddings', async () => {
  const { embeddings } = await openai()
    .embedding('local:nomic')
    .doEmbed({ values: ['one', 'three'] })
  expect(embeddings).toEqual([
    [3, 1, 0.5],
    [5, 1, 0.5],
  ])
})

test('lists models and aliases', async () => {
  const { body } = await scene.call('GET', '/v1/openai/models', { headers: scene.asBot })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(['openai:gpt', 'auto', 'best', 'fast']),
  )
})

describe('audio and images', () => {
  const cognitive = (path: string, body: object) =>
    scene.call('POST', `/v2/cognitive/${path}`, { headers: scene.asBot, body })
  const fetchContent = async (at: string) => (await fetch(at)).text()

  test('generates speech as a file', async () => {
    const { status, body } = await cognitive('generate-audio', {
      model: 'openai:tts',
      input: 'Good day',
      voice: 'nova',
    })
    expect(status).toBe(200)
    expect(body.metadata).toMatchObject({
      model: 'openai:tts',
      voice: 'nova',
      format: 'mp3',
      characterCount: 8,
      cost: 0.00008,
    })
    expect(
      await fetchContent(body.output.audioUrl.replace(/^https?:\/\/[^/]+/, url)),
    ).toBe('speech of Good day')
  })

  test('streams speech', async () => {
    const response = await fetch(`${url}/v2/cognitive/generate-audio-stream`, {
      method: 'POST',
      headers: { ...scene.asBot, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'openai:tts', input: 'Good day' }),
    })
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(Buffer.from(lines[0].audio, 'base64').toString()).toBe('speech of Good day')
    expect(lines.at(-1)).toMatchObject({ finished: true, metadata: { voice: 'alloy' } })
  })

  test('generates images as files', async () => {
    const { body } = await cognitive('generate-image', {
      prompt: 'a cat',
      size: '1024x1024',
    })
    expect(body.metadata).toMatchObject({
      model: 'openai:image',
      cost: 0.04,
      format: 'png',
    })
    expect(
      await fetchContent(body.output.imageUrl.replace(/^https?:\/\/[^/]+/, url)),
    ).toBe('an image')
  })

  test('transcribes audio', async () => {
    replies = [{ text: ['Good day'] }]
    const audio = `data:audio/mpeg;base64,${Buffer.from('sound').toString('base64')}`
    const { body } = await cognitive('transcribe-audio', { url: audio })
    expect(body).toMatchObject({
      output: 'Good day',
      metadata: {
        model: 'openai:whisper',
        durationSeconds: 90,
        cost: expect.closeTo(0.009),
      },
    })
    expect(provider.requests[0]!.raw).toContain('sound')
  })

  const spoken = (url: string) => ({
    messages: [
      {
        role: 'user',
        type: 'multipart',
        content: [
          { type: 'text', text: 'Listen:' },
          { type: 'audio', url },
        ],
      },
    ],
  })
  const sound = `data:audio/mpeg;base64,${Buffer.from('sound').toString('base64')}`

  test('transcribes audio for a model that cannot read it, once for all attempts', async () => {
    replies = [{ text: ['Good day'] }, { status: 503 }, { text: ['Hello'] }]
    const { status, body } = await cognitive('generate-text', {
      ...spoken(sound),
      model: 'local:llama',
    })
    expect([status, body.output]).toEqual([200, 'Hello'])
    const [heard, ...asked] = provider.requests
    expect(heard!.path).toBe('/v1/audio/transcriptions')
    expect(heard!.raw).toContain('sound')
    for (const { body } of asked)
      expect(JSON.stringify(body.messages)).toMatch(/Listen:.*Good day/)
    expect(asked).toHaveLength(2)
    expect(body.metadata.transcription).toEqual({
      model: 'openai:whisper',
      provider: 'openai',
      parts: 1,
      durationSeconds: 90,
      cost: expect.closeTo(0.009),
    })
    const path = '/v1/platform/model-calls'
    await expect
      .poll(
        async () => (await scene.call('GET', path, { headers: scene.asBot })).body.calls,
      )
      .toEqual(
        expect.arrayContaining([expect.objectContaining({ kind: 'transcription' })]),
      )
  })

  test('transcribes audio for a stream', async () => {
    replies = [{ text: ['Good day'] }, { text: ['Hello'] }]
    const response = await fetch(`${url}/v2/cognitive/generate-text-stream`, {
      method: 'POST',
      headers: { ...scene.asBot, 'content-type': 'application/json' },
      body: JSON.stringify({ ...spoken(sound), model: 'local:llama' }),
    })
    const last = JSON.parse((await response.text()).trim().split('\n').at(-1)!)
    expect(last.metadata.transcription).toMatchObject({ parts: 1 })
    expect(JSON.stringify(provider.requests[1]!.body.messages)).toContain('Good day')
  })

  test('passes audio on to a model that reads it', async () => {
    const { status, body } = await cognitive('generate-text', {
      ...spoken(sound),
      model: 'google-ai:gemini',
    })
    expect([status, body.metadata.transcription]).toEqual([200, undefined])
    expect(provider.requests).toHaveLength(1)
    expect(JSON.stringify(provider.requests[0]!.body)).toContain(sound.split(',')[1])
  })

  test('rejects audio that nothing can read, with the reason', async () => {
    const call = {
      ...spoken(sound),
      model: 'local:llama',
      options: { transcriptionModel: 'x:y' },
    }
    expect(await cognitive('generate-text', call)).toMatchObject({
      status: 400,
      body: {
        type: 'InvalidPayload',
        message:
          'The model "local:llama" cannot read audio. There is no model "x:y" for transcription. ' +
          'Use one of openai:whisper',
      },
    })
    const missing = { ...spoken(`${provider.url}/nothing.mp3`), model: 'local:llama' }
    replies = [{ status: 404 }]
    expect(await cognitive('generate-text', missing)).toMatchObject({
      status: 400,
      body: {
        type: 'InvalidPayload',
        message: expect.stringContaining('it answered 404'),
      },
    })
  })

  test('lists voices', async () => {
    const { body } = await scene.call('GET', '/v2/cognitive/voices', {
      headers: scene.asBot,
    })
    expect(body.voices.map(({ id }: { id: string }) => id)).toEqual(['alloy', 'nova'])
  })

  test('rejects a kind that the provider does not have', async () => {
    expect(
      (await cognitive('generate-image', { prompt: 'x', model: 'openai:gpt' })).status,
    ).toBe(400)
    expect((await cognitive('generate-image', { prompt: 'x', size: 'big' })).status).toBe(
      400,
    )
  })
})
