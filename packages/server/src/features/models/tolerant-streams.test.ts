// Streams of servers that are compatible with OpenAI only in part: each form gives the same text, calls
// and errors as the form of OpenAI.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CodeResponse } from '../../../test/support/code-at-url.ts'
import {
  type ModelEndpoint,
  openModelEndpoint,
} from '../../../test/support/model-endpoint.ts'
import { type ModelScene, openModelScene } from '../../../test/support/model-scene.ts'

let answer: () => CodeResponse
let endpoint: ModelEndpoint
let scene: ModelScene
let base: string
const names = Array.from({ length: 40 }, (_, i) => `m${i}`)

beforeAll(async () => {
  endpoint = await openModelEndpoint(() => answer())
  scene = await openModelScene(endpoint.url, {
    providers: { own: { type: 'openai-compatible', url: endpoint.url } },
    models: Object.fromEntries(names.map((name) => [`own:${name}`, {}])),
    aliases: {},
  })
  base = await scene.listen()
})
afterAll(async () => {
  await scene?.close()
  await endpoint?.close()
})

let used = 0
/** Another model for each call, because errors keep later calls from a model for a while. */
const nextModel = () => `own:${names[used++ % names.length]}`
const tools = [
  { type: 'function', function: { name: 'f', parameters: { type: 'object' } } },
]

/** Returns what a stream of the server has, or its error. */
async function readStream() {
  const response = await fetch(`${base}/v1/openai/chat/completions`, {
    method: 'POST',
    headers: { ...scene.asBot, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: nextModel(),
      stream: true,
      tools,
      messages: [{ role: 'user', content: 'Hi' }],
      stream_options: { include_usage: true },
    }),
  })
  const text = await response.text()
  if (!response.ok) return { error: JSON.parse(text).error.message as string }
  const chunks = text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .map((frame) => JSON.parse(frame.slice(6)))
  const failed = chunks.find(({ error }) => error)
  if (failed) return { error: failed.error.message as string }
  const choices = chunks.flatMap((chunk) => chunk.choices)
  const join = (read: (delta: { [name: string]: unknown }) => unknown) =>
    choices.map(({ delta }) => read(delta) ?? '').join('')
  const calls = choices.flatMap(({ delta }) => delta.tool_calls ?? [])
  return {
    text: join(({ content }) => content),
    reasoning: join(({ reasoning_content }) => reasoning_content),
    calls: calls.map(({ function: { name } }) => name).filter(Boolean),
    arguments: calls.map((call) => call.function.arguments ?? '').join(''),
    ids: calls.map(({ id }) => id).filter((id) => id !== undefined),
    reason: choices.map(({ finish_reason }) => finish_reason).find(Boolean),
    tokens: chunks.find(({ usage }) => usage)?.usage.total_tokens,
  }
}

const sse = { 'content-type': 'text/event-stream' }
const chunk = (choice: object, more: object = {}) =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    ...more,
    choices: [{ index: 0, finish_reason: null, ...choice }],
  })
const say = (content: unknown) => chunk({ delta: { role: 'assistant', content } })
const stop = (reason = 'stop') => chunk({ delta: {}, finish_reason: reason })
const events = (...data: string[]) =>
  `${[...data, '[DONE]'].map((one) => `data: ${one}`).join('\n\n')}\n\n`
const toStream = (text: string) => ({ headers: sse, body: text })

const message = (fields: object, reason = 'stop', more: object = {}) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    { index: 0, message: { role: 'assistant', ...fields }, finish_reason: reason },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  ...more,
})

describe('text', () => {
  const hello = { text: 'Hello', reason: 'stop' }

  test.each<[string, CodeResponse]>([
    ['in the form of OpenAI', toStream(events(say('Hel'), say('lo'), stop()))],
    [
      'without a blank line at the end',
      toStream(`data: ${say('Hello')}\n\ndata: ${stop()}`),
    ],
    [
      'with carriage returns',
      toStream(events(say('Hel'), say('lo'), stop()).replaceAll('\n', '\r\n')),
    ],
    [
      'with carriage returns alone',
      toStream(events(say('Hello'), stop()).replaceAll('\n', '\r')),
    ],
    [
      'without spaces after the colon',
      toStream(events(say('Hello'), stop()).replaceAll('data: ', 'data:')),
    ],
    [
      'with comments and names of events',
      toStream(
        `: hi\n\nevent: message\nid: 5\ndata: ${say('Hello')}\n\n: hi\n\n${events(stop())}`,
      ),
    ],
    [
      'with JSON in several lines',
      toStream(
        events(say('Hello'), stop())
          .replaceAll(',"', ',\ndata: "')
          .replaceAll('{', '{\ndata: '),
      ),
    ],
    ['after a byte order mark', toStream(`\ufeff${events(say('Hello'), stop())}`)],
    [
      'whole, in one event',
      toStream(events(JSON.stringify(message({ content: 'Hello' })))),
    ],
    ['whole, as JSON', { body: message({ content: 'Hello' }) }],
    [
      'whole, as JSON with a type of its own',
      {
        headers: { 'content-type': 'application/vnd.x+json' },
        body: message({ content: 'Hello' }),
      },
    ],
    [
      'as events without a fitting type',
      { headers: { 'content-type': 'text/plain' }, body: events(say('Hello'), stop()) },
    ],
    [
      'as events of the type JSON',
      {
        headers: { 'content-type': 'application/json' },
        body: events(say('Hello'), stop()),
      },
    ],
    [
      'with absent and wrong fields',
      toStream(
        events(
          chunk({ delta: null }),
          chunk(
            { delta: { role: 'model', content: 'Hello', tool_calls: null } },
            { id: 5 },
          ),
          JSON.stringify({ choices: null, usage: { prompt_tokens: 3 } }),
          JSON.stringify({ usage: null }),
          stop(),
        ),
      ),
    ],
  ])('%s', async (_, response) => {
    answer = () => response
    expect(await readStream()).toMatchObject({ ...hello, calls: [] })
  })

  test('in parts of any length, also within characters', async () => {
    const text = 'Grüße, 返品は可能です 🌲'
    const bytes = Buffer.from(events(...[...text].map(say), stop()))
    for (const size of [1_000_000, 1_000, 37, 1]) {
      const parts: Buffer[] = []
      const end = size === 1 ? Math.min(bytes.length, 1_500) : bytes.length
      for (let at = 0; at < end; at += size) parts.push(bytes.subarray(at, at + size))
      if (end < bytes.length) parts.push(bytes.subarray(end))
      answer = () => ({ headers: sse, parts })
      expect(await readStream()).toMatchObject({ text, reason: 'stop' })
    }
  }, 60_000)

  test('as JSON has its thoughts and tokens', async () => {
    answer = () => ({ body: message({ content: 'Hello', reasoning_content: 'Hm.' }) })
    expect(await readStream()).toMatchObject({ ...hello, reasoning: 'Hm.', tokens: 7 })
  })
})

describe('calls of tools', () => {
  const call = (fields: object, more: object = {}) => ({
    index: 0,
    id: 'x',
    type: 'function',
    ...more,
    function: { name: 'f', ...fields },
  })
  const calling = (...calls: object[]) => chunk({ delta: { tool_calls: calls } })
  const expected = { calls: ['f'], arguments: '{"a":1}', reason: 'tool_calls' }

  test.each<[string, CodeResponse]>([
    [
      'in pieces',
      toStream(
        events(
          calling(call({ arguments: '' })),
          calling({ index: 0, function: { arguments: '{"a"' } }),
          calling({ index: 0, function: { arguments: ':1}' } }),
          stop('tool_calls'),
        ),
      ),
    ],
    [
      'with arguments that are objects',
      toStream(events(calling(call({ arguments: { a: 1 } })), stop('tool_calls'))),
    ],
    [
      'without ids',
      toStream(
        events(calling(call({ arguments: '{"a":1}' }, { id: null })), stop('tool_calls')),
      ),
    ],
    [
      'with empty ids and without an index',
      toStream(
        events(
          calling(call({ arguments: '{"a":1}' }, { id: '', index: undefined })),
          stop('tool_calls'),
        ),
      ),
    ],
    [
      'in a whole message of one event',
      toStream(
        events(
          JSON.stringify(
            message({ tool_calls: [call({ arguments: { a: 1 } })] }, 'tool_calls'),
          ),
        ),
      ),
    ],
    [
      'as JSON',
      { body: message({ tool_calls: [call({ arguments: { a: 1 } })] }, 'tool_calls') },
    ],
    [
      'as JSON in the older form',
      {
        body: message(
          { function_call: { name: 'f', arguments: '{"a":1}' } },
          'function_call',
        ),
      },
    ],
    [
      'in pieces of the older form',
      toStream(
        events(
          chunk({ delta: { function_call: { name: 'f', arguments: '' } } }),
          chunk({ delta: { function_call: { arguments: '{"a"' } } }),
          chunk({ delta: { function_call: { arguments: ':1}' } } }),
          stop('function_call'),
        ),
      ),
    ],
  ])('%s', async (_, response) => {
    answer = () => response
    const read = await readStream()
    expect(read).toMatchObject(expected)
    expect(read.ids?.every((id) => typeof id === 'string' && id !== '')).toBe(true)
  })

  test('without arguments have an empty object', async () => {
    answer = () => ({ body: message({ tool_calls: [call({})] }, 'tool_calls') })
    expect(await readStream()).toMatchObject({ ...expected, arguments: '{}' })
  })
})

describe('errors', () => {
  test.each<[string, CodeResponse]>([
    ['as JSON with the status 200', { body: { error: 'out of memory' } }],
    ['as JSON with an object', { body: { object: 'error', message: 'out of memory' } }],
    [
      'as an event',
      toStream(events(JSON.stringify({ error: { message: 'out of memory' } }))),
    ],
    ['as an event with a text', toStream(events('{"error":"out of memory"}'))],
    [
      'as an event of its own name',
      toStream('event: error\ndata: {"detail":"out of memory"}\n\n'),
    ],
    ['as an event that is a list', toStream(events('[{"error":"out of memory"}]'))],
  ])(
    '%s are named',
    async (_, response) => {
      answer = () => response
      expect((await readStream()).error).toContain('out of memory')
    },
    30_000,
  )

  test.each<[string, CodeResponse]>([
    ['no JSON', { body: '<html><title>Sign in</title></html>' }],
    ['half of JSON', { body: '{"choices":[{"message":{"content":"Hel' }],
    ['nothing', { body: '' }],
    ['a stream without events', toStream(': hi\n\n')],
    ['half of an event', toStream(`data: ${say('Hello').slice(0, -5)}`)],
  ])(
    '%s is an error',
    async (_, response) => {
      answer = () => response
      expect((await readStream()).error).toMatch(/./)
    },
    30_000,
  )
})
