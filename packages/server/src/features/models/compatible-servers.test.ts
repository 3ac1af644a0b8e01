// Servers that are compatible with OpenAI only in part: thoughts in the text, formats of responses
// that they reject, and errors of any form.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ModelScene, openModelScene } from '../../../test/support/model-scene.ts'

interface Sent {
  status?: number
  type?: string
  text: string
}
// biome-ignore lint/suspicious/noExplicitAny: the body of a request
type Body = any

let answer: (body: Body) => Sent
let requests: Body[] = []
let server: Server
let scene: ModelScene

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const body = JSON.parse(text)
    requests.push(body)
    const { status = 200, type = 'application/json', text: sent } = answer(body)
    response.writeHead(status, { 'content-type': type }).end(sent)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
  scene = await openModelScene(url, {
    providers: { own: { type: 'openai-compatible', url, key: 'STAND_IN_OPENAI_KEY' } },
    models: Object.fromEntries(names.map((name) => [`own:${name}`, {}])),
    aliases: {},
  })
})
afterAll(async () => {
  await scene?.close()
  server?.close()
})
beforeEach(() => {
  requests = []
})

const message = (content: string, more: object = {}) => ({
  text: JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...more },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
})
const frames = (contents: string[]) => {
  const chunk = (delta: object, finish: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const data = {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices,
    }
    return `data: ${JSON.stringify(data)}\n\n`
  }
  const text = contents.map((content) => chunk({ content })).join('')
  return {
    type: 'text/event-stream',
    text: `${text}${chunk({}, 'stop')}data: [DONE]\n\n`,
  }
}

const generate = (body: object, path = '/v2/cognitive/generate-text') =>
  scene.call('POST', path, {
    headers: scene.asBot,
    body: { model: 'own:a', messages: [{ role: 'user', content: 'Hi' }], ...body },
  })
const complete = (body: object) => generate(body, '/v1/openai/chat/completions')

describe('thoughts in the text', () => {
  test.each([
    ['<think>\nHm.\n</think>\n\nHello'],
    ['Hm.\n</think>\n\nHello'],
    ['<thinking>Hm.</thinking>Hello'],
    ['<reasoning>Hm.</reasoning>\nHello'],
  ])('are reasoning: %j', async (content) => {
    answer = () => message(content)
    const { body } = await generate({})
    expect(body).toMatchObject({ output: 'Hello', reasoning: 'Hm.' })
    const { body: completion } = await complete({})
    expect(completion.choices[0].message).toMatchObject({
      content: 'Hello',
      reasoning_content: 'Hm.',
    })
  })

  test.each([['reasoning_content'], ['reasoning']])(
    'in the field %s are reasoning',
    async (field) => {
      answer = () => message('Hello', { [field]: 'Hm.' })
      expect((await generate({})).body).toMatchObject({
        output: 'Hello',
        reasoning: 'Hm.',
      })
    },
  )

  test('are reasoning in a stream of small pieces', async () => {
    answer = () => frames([...'<think>\nHm.\n</think>\n\nHello'])
    const url = await scene.listen()
    const response = await fetch(`${url}/v1/openai/chat/completions`, {
      method: 'POST',
      headers: { ...scene.asBot, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'own:a',
        stream: true,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    })
    const chunks = (await response.text())
      .split('\n\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)).choices[0].delta)
    expect(chunks.map(({ content = '' }) => content).join('')).toBe('Hello')
    expect(
      chunks
        .map(({ reasoning_content = '' }) => reasoning_content)
        .join('')
        .trim(),
    ).toBe('Hm.')
  })

  test('restart a published stream that had no opening tag', async () => {
    answer = () => frames(['Hm. ', 'So.\n</th', 'ink>\n\nHel', 'lo'])
    const url = await scene.listen()
    const response = await fetch(`${url}/v2/cognitive/generate-text-stream`, {
      method: 'POST',
      headers: { ...scene.asBot, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'own:a',
        messages: [{ role: 'user', content: 'Hi' }],
        options: { midStreamFallback: true },
      }),
    })
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const at = lines.findIndex(({ restart }) => restart)
    expect(lines[at].restart).toMatchObject({ reason: 'thought', fromModel: 'own:a' })
    const after = lines.slice(at)
    expect(after.map(({ output = '' }) => output).join('')).toBe('Hello')
    expect(after.map(({ reasoning = '' }) => reasoning).join('')).toContain('Hm. So.')
  })
})

describe('formats of responses', () => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  }
  const typed = (model: string) =>
    complete({
      model,
      response_format: { type: 'json_schema', json_schema: { name: 'r', schema } },
    })
  const formats = () =>
    requests.map(({ response_format }) => response_format?.type ?? null)

  test('passes the schema on', async () => {
    answer = () => message('{"city":"Rome"}')
    expect((await typed('own:a')).status).toBe(200)
    expect(requests[0].response_format.json_schema).toMatchObject({
      schema,
      strict: false,
    })
    await generate({ responseFormat: 'json', responseSchema: schema })
    expect(requests[1].response_format.json_schema).toMatchObject({
      schema,
      strict: false,
    })
    await complete({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'r', strict: true, schema },
      },
    })
    expect(requests[2].response_format.json_schema).toMatchObject({
      name: 'r',
      strict: true,
    })
  })

  test.each<[string, string[], number, string, (string | null)[]]>([
    [
      'own:b',
      ['json_schema'],
      400,
      '{"error":"unsupported"}',
      ['json_schema', 'json_object'],
    ],
    [
      'own:c',
      ['json_schema', 'json_object'],
      422,
      '{"detail":[{"loc":["body","response_format"],"msg":"bad"}]}',
      ['json_schema', 'json_object', null],
    ],
    [
      'own:d',
      ['json_schema'],
      500,
      'json_schema is not implemented',
      ['json_schema', 'json_object'],
    ],
    [
      'own:e',
      ['json_schema', 'json_object'],
      400,
      '',
      ['json_schema', 'json_object', null],
    ],
  ])(
    '%s, which rejects %j with %i, gets less',
    async (model, rejects, status, text, tried) => {
      answer = ({ response_format: { type } = { type: '' } }) =>
        rejects.includes(type) ? { status, text } : message('{"city":"Rome"}')
      expect((await typed(model)).body.choices[0].message.content).toBe('{"city":"Rome"}')
      expect(formats()).toEqual(tried)
      requests = []
      await typed(model)
      expect(formats()).toEqual([tried.at(-1)])
    },
  )

  test('sends json_object without a schema, then none', async () => {
    answer = ({ response_format }) =>
      response_format
        ? {
            status: 400,
            text: `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`,
          }
        : message('{}')
    expect((await generate({ model: 'own:f', responseFormat: 'json' })).status).toBe(200)
    expect(formats()).toEqual(['json_object', null])
  })

  test('gives the reason of the request without a format', async () => {
    answer = () => ({ status: 400, text: '{"error":"the prompt is too long"}' })
    expect((await typed('own:g')).body.error.message).toContain('the prompt is too long')
    answer = () => ({ status: 500, text: '{"error":"out of memory"}' })
    requests = []
    expect((await typed('own:h')).status).toBe(503)
    expect(new Set(formats())).toEqual(new Set(['json_schema']))
  })
})

describe('the reason of an error', () => {
  const key = 'sk-standin-openai-0123456789abcdef'

  test.each<[string, string]>([
    ['{"error":"no tools here"}', 'no tools here'],
    ['{"error":{"message":"no tools here"}}', 'no tools here'],
    ['{"error":{"error":{"message":"no tools here"}}}', 'no tools here'],
    ['{"object":"error","message":"no tools here","code":400}', 'no tools here'],
    ['{"detail":"no tools here"}', 'no tools here'],
    [
      '{"detail":[{"loc":["body","tools"],"msg":"no tools here"}]}',
      'body.tools: no tools here',
    ],
    ['{"errors":["no tools here","nor there"]}', 'no tools here; nor there'],
    ['{"errors":[{"message":"no tools here"}]}', 'no tools here'],
    ['{"error":{"code":400,"metadata":{}},"message":"no tools here"}', 'no tools here'],
    ['[{"error":{"message":"no tools here"}}]', 'no tools here'],
    ['"no tools here"', 'no tools here'],
    ['no tools here', 'no tools here'],
    ['<html><head><title>no tools here</title></head></html>', 'no tools here'],
    [`{"error":"no tools here with ${key}"}`, 'no tools here with …'],
    [`no tools here with ${key}`, 'no tools here with …'],
  ])('is found in %s', async (text, reason) => {
    for (const status of [400, 422, 413]) {
      answer = () => ({ status, text, type: 'text/plain' })
      const { body } = await complete({})
      expect(body.error.message).toBe(
        `The provider of "own:a" answered ${status}: ${reason}`,
      )
      expect(JSON.stringify(body)).not.toContain(key)
    }
  })

  test.each(['', '{}', '[]', 'null', '{"error":null}', '<html></html>', '{"a":{"b":1}}'])(
    'is left out if %j has none',
    async (text) => {
      answer = () => ({ status: 400, text })
      expect((await complete({})).body.error.message).toBe(
        'The provider of "own:a" answered 400',
      )
    },
  )

  test('names an unknown model', async () => {
    answer = () => ({
      status: 404,
      text: '{"error":"model \\"llama\\" not found, try pulling it"}',
    })
    expect((await complete({})).body.error.message).toContain(
      'answered 404: model "llama" not found',
    )
  })

  test.each([401, 403, 429, 503])(
    'is not passed on with %i',
    async (status) => {
      answer = () => ({ status, text: '{"error":"no tools here"}' })
      expect((await complete({})).body.error.message).not.toContain('no tools')
    },
    30_000,
  )

  test('of a deep or huge body is short', async () => {
    answer = () => ({
      status: 400,
      text: `${'{"error":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
    })
    expect((await complete({ model: 'own:f' })).body.error.message).toBe(
      'The provider of "own:f" answered 400',
    )
    answer = () => ({ status: 400, text: 'a b '.repeat(500_000) })
    expect((await complete({ model: 'own:f' })).body.error.message.length).toBeLessThan(
      600,
    )
  })
})

describe('answers of other forms', () => {
  const toChoice = (message: object) => ({ index: 0, message, finish_reason: 'stop' })
  const calling = (more: object) =>
    toChoice({ role: 'assistant', tool_calls: [{ type: 'function', ...more }] })
  const tools = [
    { type: 'function', function: { name: 'f', parameters: { type: 'object' } } },
  ]

  test.each<[object, string]>([
    [calling({ id: 'x', function: { name: 'f', arguments: { a: 1 } } }), '{"a":1}'],
    [calling({ id: '', function: { name: 'f', arguments: null } }), '{}'],
    [calling({ id: null, function: { name: 'f' } }), '{}'],
    [
      toChoice({ role: 'assistant', function_call: { name: 'f', arguments: '{"a":1}' } }),
      '{"a":1}',
    ],
  ])('have the call of a tool: %j', async (choice, sent) => {
    const body = { id: null, created: '2026', model: null, choices: [choice] }
    answer = () => ({ text: JSON.stringify({ object: 'chat.completion', ...body }) })
    const { status, body: completion } = await complete({ model: 'own:i', tools })
    expect(status).toBe(200)
    const [call] = completion.choices[0].message.tool_calls
    expect(call).toMatchObject({
      id: expect.stringMatching(/./),
      function: { arguments: sent },
    })
  })

  test.each([
    '{"error":"out of memory"}',
    '{"object":"error","message":"out of memory"}',
  ])(
    'name the reason %s with the status 200',
    async (text) => {
      answer = () => ({ text })
      expect((await complete({ model: 'own:j' })).body.error.message).toContain(
        'out of memory',
      )
    },
    30_000,
  )
})

describe('the API of OpenAI', () => {
  const tools = [
    { type: 'function', function: { name: 'price', parameters: { type: 'object' } } },
  ]
  const history = (given: unknown) => [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'x', type: 'function', function: { name: 'price', arguments: given } },
      ],
    },
    { role: 'tool', tool_call_id: 'x', content: 'error: invalid JSON' },
    { role: 'user', content: 'again' },
  ]

  test.each<[unknown, object]>([
    ['{"grams": 10}', { grams: 10 }],
    ['{"grams": 10', { rawInvalidInput: '{"grams": 10' }],
    ['', {}],
    ['  ', {}],
    ['null', {}],
    ['[1]', { rawInvalidInput: '[1]' }],
    ['"text"', { rawInvalidInput: '"text"' }],
    [null, {}],
    [undefined, {}],
    [{ grams: 10 }, { grams: 10 }],
  ])('accepts the arguments %j in the history', async (given, input) => {
    answer = () => message('ok')
    const { status, body } = await complete({
      model: 'own:f',
      tools,
      messages: history(given),
    })
    expect([status, body.choices?.[0].message.content]).toEqual([200, 'ok'])
    const call = requests[0].messages[1].tool_calls[0]
    expect(JSON.parse(call.function.arguments)).toEqual(input)
  })

  test.each<[unknown]>([[[[1, 2, 3]]], [[1, 2, 3]]])(
    'rejects the token ids %j with the remedy',
    async (input) => {
      const { status, body } = await scene.call('POST', '/v1/openai/embeddings', {
        headers: scene.asBot,
        body: { model: 'own:a', input },
      })
      expect(status).toBe(400)
      expect(body.error.message).toContain('token ids are not supported')
    },
  )

  test.each<[object, string]>([
    [{ logprobs: true }, '`logprobs` is not supported'],
    [{ top_logprobs: 3 }, '`top_logprobs` is not supported'],
    [{ logit_bias: { '50256': -100 } }, '`logit_bias` is not supported'],
    [{ functions: [{ name: 'f' }] }, '`functions` is not supported: use `tools`'],
    [{ modalities: ['text', 'audio'] }, '`modalities` is not supported'],
    [{ tools: [{ type: 'custom', custom: { name: 'x' } }] }, '`tools[0].type` "custom"'],
    [
      { response_format: { type: 'json_schema' } },
      '`response_format.json_schema.schema` is missing',
    ],
    [{ n: 2 }, 'body/n must'],
  ])('rejects %j', async (more, reason) => {
    const { status, body } = await complete({ model: 'own:f', ...more })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(reason)])
  })

  test('lists parameters without an effect, and accepts those that are off', async () => {
    answer = () => message('ok')
    const off = {
      logprobs: false,
      top_logprobs: 0,
      logit_bias: {},
      functions: [],
      user: 'u',
    }
    const { body } = await complete({
      model: 'own:f',
      ...off,
      min_p: 0.1,
      modalities: ['text'],
    })
    expect(body.warnings).toEqual([
      { type: 'parameter_ignored', message: '"min_p" is not supported' },
    ])
    expect((await complete({ model: 'own:f', ...off })).body).not.toHaveProperty(
      'warnings',
    )
  })

  test.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'tool_calls'],
    ['stop', 'tool_calls'],
    ['eos', 'tool_calls'],
  ])('answers calls of a model that ends with %s by %s', async (ended, reason) => {
    const call = {
      id: 'x',
      type: 'function',
      function: { name: 'price', arguments: '{"gr' },
    }
    answer = () => ({
      text: message('', { tool_calls: [call] }).text.replace(
        '"finish_reason":"stop"',
        `"finish_reason":"${ended}"`,
      ),
    })
    const { body } = await complete({ model: 'own:f', tools })
    expect(body.choices[0].finish_reason).toBe(reason)
    expect(body.choices[0].message.tool_calls[0].function.arguments).toBe('{"gr')
  })
})
