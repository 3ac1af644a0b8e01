// Integrations that implement the interface `llm` are providers of the gateway.
import { CognitiveBeta } from '@botpress/cognitive'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  openIntegration,
  type UrlIntegration,
} from '../../../test/support/url-integration.ts'

interface Called {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests read single fields
  input: any
}

const sizes = (price: number) => ({ maxTokens: 1_000, costPer1MTokens: price })
const listed = {
  id: 'small',
  name: 'Small',
  description: 'A model',
  tags: ['low-cost'],
  input: sizes(2),
  output: sizes(8),
}

let scene: Scene
let integration: UrlIntegration
let client: CognitiveBeta
let called: Called[]
/** Response of `generateContent`: a choice, or a status. */
let respond: () => Record<string, unknown> | number

beforeAll(async () => {
  scene = await openScene()
  const any = { schema: {} }
  integration = await openIntegration(scene, {
    name: 'acme-llm',
    definition: {
      actions: {
        listLanguageModels: { input: any, output: any },
        generate: { input: any, output: any },
      },
      interfaces: {
        'llm<modelRef>': {
          id: 'interface',
          name: 'llm',
          version: '1.0.0',
          actions: {
            generateContent: { name: 'generate' },
            listLanguageModels: { name: 'listLanguageModels' },
          },
        },
      },
    },
  })
  await sql`update integration set interface_names = array['llm']
    where id = ${integration.integrationId}`.execute(scene.app.services.db)
  integration.answer = ({ raw }, response) => {
    const { type, input } = JSON.parse(raw.toString()) as Called
    called.push({ type, input })
    const answer = type === 'listLanguageModels' ? { models: [listed] } : respond()
    response.statusCode = typeof answer === 'number' ? answer : 200
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(typeof answer === 'number' ? {} : { output: answer }))
  }
  await integration.install(scene.botId, 'acme')
  const apiUrl = await scene.listen()
  client = new CognitiveBeta({ apiUrl, botId: scene.botId, token: scene.token })
})
afterAll(async () => {
  await scene?.close()
  integration?.close()
})
beforeEach(() => {
  called = []
  respond = () => toReply({ content: 'Good day', stopReason: 'stop' })
})

const toReply = (choice: object) => ({
  id: 'r',
  provider: 'acme',
  model: 'small',
  botpress: { cost: 0.01 },
  choices: [{ type: 'text', role: 'assistant', index: 0, ...choice }],
  usage: { inputTokens: 1_000, inputCost: 0, outputTokens: 100, outputCost: 0 },
})

test('lists the models and generates text with costs', async () => {
  const models = await client.listModels()
  expect(models.find(({ id }) => id === 'acme:small')).toMatchObject({
    name: 'Small',
    tags: ['low-cost'],
    input: { maxTokens: 1_000, costPer1MTokens: 2 },
  })
  const { output, metadata } = await client.generateText({
    model: 'acme:small',
    systemPrompt: 'Be polite',
    maxTokens: 50,
    temperature: 0.5,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  expect(output).toBe('Good day')
  expect(metadata).toMatchObject({
    provider: 'acme',
    model: 'acme:small',
    stopReason: 'stop',
    usage: {
      inputTokens: 1_000,
      inputCost: 0.002,
      outputTokens: 100,
      outputCost: 0.0008,
    },
  })
  expect(called.at(-1)).toEqual({
    type: 'generate',
    input: {
      model: { id: 'small' },
      systemPrompt: 'Be polite',
      maxTokens: 50,
      temperature: 0.5,
      messages: [{ role: 'user', type: 'text', content: 'Hi' }],
    },
  })
})

test('carries tools, their results and images in both directions', async () => {
  const call = {
    id: 'c2',
    type: 'function',
    function: { name: 'look', arguments: { at: 'Graz' } },
  }
  respond = () =>
    toReply({ type: 'tool_calls', toolCalls: [call], stopReason: 'tool_calls' })
  const image = 'https://example.org/cat.png'
  const parameters = { type: 'object', properties: { at: { type: 'string' } } }
  const { toolCalls, metadata } = (await client.generateText({
    model: 'acme:small',
    messages: [
      { role: 'user', type: 'multipart', content: [{ type: 'image', url: image }] },
      {
        role: 'assistant',
        type: 'tool_calls',
        content: null,
        toolCalls: [{ ...call, id: 'c1' }],
      },
      { role: 'user', type: 'tool_result', toolResultCallId: 'c1', content: 'rain' },
    ],
    tools: [{ name: 'look', description: 'Weather', parameters }],
    toolControl: { mode: 'required' },
  } as never)) as unknown as { toolCalls: unknown; metadata: { stopReason: string } }
  expect(toolCalls).toEqual([{ id: 'c2', name: 'look', input: { at: 'Graz' } }])
  expect(metadata.stopReason).toBe('tool_calls')
  const { input } = called.at(-1)!
  expect(input.messages).toEqual([
    { role: 'user', type: 'multipart', content: [{ type: 'image', url: image }] },
    {
      role: 'assistant',
      type: 'tool_calls',
      content: null,
      toolCalls: [{ ...call, id: 'c1' }],
    },
    { role: 'user', type: 'tool_result', toolResultCallId: 'c1', content: 'rain' },
  ])
  expect(input.tools).toEqual([
    {
      type: 'function',
      function: { name: 'look', description: 'Weather', argumentsSchema: parameters },
    },
  ])
  expect(input.toolChoice).toEqual({ type: 'any' })
})

test('streams the response in one part', async () => {
  const outputs: string[] = []
  for await (const { output } of client.generateTextStream({
    model: 'acme:small',
    messages: [{ role: 'user', content: 'Hi' }],
  }))
    if (output) outputs.push(output)
  expect(outputs).toEqual(['Good day'])
})

test.each([
  ['a failure', () => 500],
  ['a response without choices', () => ({ choices: [] })],
])('%s of the integration is an error of the model', async (_, answer) => {
  respond = answer
  const request = {
    model: 'acme:small',
    messages: [{ role: 'user' as const, content: 'Hi' }],
  }
  const { status, body } = await scene.call('POST', '/v2/cognitive/generate-text', {
    headers: scene.asBot,
    body: request,
  })
  expect(status).toBe(503)
  expect(body.type).toBe('Unavailable')
})

test('another bot does not see the model', async () => {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { name: 'another' },
  })
  const headers = { ...scene.asBot, 'x-bot-id': body.bot.id }
  const models = await scene.call('GET', '/v2/cognitive/models', { headers })
  expect(models.status).toBe(200)
  expect(JSON.stringify(models.body)).not.toContain('acme:small')
})
