// Agents in process, against an in-memory server and a scripted model: messages, tools, exits,
// limits, and interrupted turns.
import type { TextResponse, ToolCall } from '@botstead/contract'
import { expect, test } from 'vitest'
import { checkDocument, isFlowDocument } from '../check/check.ts'
import { compileScripts } from '../document/scripts.ts'
import { handleEvent } from '../engine/engine.ts'
import type { DeliveredEvent } from '../engine/event-types.ts'
import { openMemory } from '../engine/memory.ts'
import {
  type Json,
  type PlatformCall,
  PlatformRejection,
  PlatformUnreachable,
} from '../engine/platform.ts'
import type { CognitiveRequest } from '../models/models.ts'
import { openMemoryPlatform } from '../testing/memory-platform.ts'
import type { TurnTrace } from '../tracing/trace.ts'
import { traceText } from '../tracing/trace-text.ts'

/** A text, or calls by the name of the tool. */
type Reply = string | { text?: string; calls: [name: string, input: Json][]; cost?: number }
type Model = (request: CognitiveRequest) => Reply | Promise<Reply>

interface Options {
  model: Model
  others?: (call: PlatformCall) => Json | undefined
}

let callCount = 0
const toResponse = (reply: Reply): TextResponse => {
  const {
    text = '',
    calls,
    cost = 0.001,
  } = typeof reply === 'string' ? { text: reply, calls: [] } : reply
  const toolCalls = calls.map(
    ([name, input]): ToolCall => ({ id: `call_${++callCount}`, name, input }),
  )
  return {
    output: text,
    ...(toolCalls.length && { toolCalls }),
    metadata: {
      provider: 'stand-in',
      model: 'stand-in:one',
      cost,
      usage: { inputTokens: 100, inputCost: 0, outputTokens: 20, outputCost: 0 },
    },
  }
}

function openBot(given: Json, { model, others }: Options) {
  const document = checkDocument({ kind: 'bot', version: 2, ...given })
  if (!isFlowDocument(document)) throw new Error('no flows')
  const requests: CognitiveRequest[] = []
  const server = openMemoryPlatform({
    now: Date.now,
    async others(call) {
      if (call.path !== '/v2/cognitive/generate-text') return others?.(call)
      const request = structuredClone(call.body) as CognitiveRequest
      requests.push(request)
      return toResponse(await model(request)) as unknown as Json
    },
  })
  const state = {
    made: 0,
    count: 0,
    traces: [] as TurnTrace[],
    cutAt: Number.POSITIVE_INFINITY,
    /** No call after the next effect reaches the server. */
    cutsInEffect: false,
  }
  const platform = async (call: PlatformCall) => {
    if (++state.made > state.cutAt) throw new PlatformUnreachable('cut off')
    // Without its key, a repeated call of the model has another reply.
    const { key, ...keyless } = call
    const answer = await server.platform(call.path.startsWith('/v2/') ? keyless : call)
    // The server has run the call, but the engine does not receive the answer.
    if (state.made === state.cutAt) throw new PlatformUnreachable('cut off')
    return answer
  }
  const engine = {
    botId: 'bot_1',
    platform,
    memory: openMemory(platform),
    now: Date.now,
    program: { document, scripts: compileScripts(document).scripts },
    hostOf: () => ({
      async effect(name: string) {
        effects.push(name)
        if (state.cutsInEffect) Object.assign(state, { cutsInEffect: false, cutAt: state.made })
      },
    }),
    log: () => {},
    onTraced: (_turn: unknown, trace: TurnTrace) => void state.traces.push(trace),
  }
  const effects: string[] = []
  const messageOf = (text: string): DeliveredEvent => ({
    id: `evt_${++state.count}`,
    createdAt: '2026-01-02T03:04:05Z',
    type: 'message_created',
    payload: { message: { id: 'msg_u', type: 'text', payload: { text }, tags: {} } },
    conversationId: 'conv_1',
    userId: 'user_1',
    messageId: 'msg_u',
  })
  const handle = async (event: DeliveredEvent, signal?: AbortSignal) => {
    const before = server.sent.length
    await handleEvent(engine, event, {}, signal)
    return server.sent.slice(before).map(({ payload }) => payload.text)
  }
  return {
    server,
    state,
    requests,
    effects,
    messageOf,
    handle,
    say: (text: string, signal?: AbortSignal) => handle(messageOf(text), signal),
    /** Results of tools in the last request, as the model sees them. */
    results: () =>
      requests
        .at(-1)!
        .messages.filter(({ type }) => type === 'tool_result')
        .map(({ content }) => JSON.parse(String(content))),
    memory: () => server.states.get('conversation/conv_1/flows.conversation')!.payload as Json,
  }
}

const definition = { input: { schema: {} }, output: { schema: {} } }
const send = (message: string) => ({ type: 'send', message })
const agent = (fields: Json) => ({ type: 'agent', instructions: 'Help.', ...fields })
/** A document with an agent `help`, which every conversation reaches at once. */
const withAgent = (fields: Json, more: Json = {}, nodes: Json = {}) => ({
  ...more,
  flows: {
    main: {
      variables: { city: { type: 'string' }, count: { type: 'number' } },
      nodes: {
        start: { type: 'start', next: 'help' },
        help: agent(fields),
        after: {
          type: 'standard',
          cards: [send('after {{ workflow.city }} {{ workflow.count }}')],
        },
        failed: { type: 'standard', cards: [send('failed: {{ turn.error.reason }}')] },
        ...nodes,
      },
    },
    ...((more.flows as Json) ?? {}),
  },
})
/** Replies with these in turn, and repeats the last one. */
const inTurn = (...replies: Reply[]): Model => {
  let next = 0
  return () => replies[Math.min(next++, replies.length - 1)]!
}

test('sends texts of the model as messages, and keeps the conversation', async () => {
  const bot = openBot(withAgent({ model: '{{ "best" }}', temperature: 0.5 }), {
    model: ({ messages }) => `reply ${messages.length}`,
  })
  expect(await bot.say('hello')).toEqual(['reply 1'])
  expect(await bot.say('again')).toEqual(['reply 3'])
  expect(bot.requests[1]).toMatchObject({
    model: 'best',
    temperature: 0.5,
    systemPrompt: expect.stringMatching(/^Help\.\n/),
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'reply 1' },
      { role: 'user', content: 'again' },
    ],
  })
})

test('keeps its history when the user stops an answer', async () => {
  const bot = openBot(withAgent({}), {
    model({ messages }) {
      if (messages.at(-1)!.content === 'stop me')
        throw new PlatformRejection(410, 'ResourceGone', 'The answer was stopped')
      return `reply ${messages.length}`
    },
  })
  await bot.say('hello')
  expect(await bot.say('stop me')).toEqual([])
  expect(bot.state.traces.at(-1)).toMatchObject({ outcome: 'stopped' })
  expect(await bot.say('again')).toEqual(['reply 4'])
  expect(bot.requests.at(-1)!.messages.map(({ content }) => content)).toEqual([
    'hello',
    'reply 1',
    'stop me',
    'again',
  ])
})

test('gives the calls of a stopped answer results', async () => {
  const stop = new AbortController()
  const flows = { ask: { nodes: { entry: { type: 'entry', cards: [send('not sent')] } } } }
  const tools = [
    { type: 'action', action: 'mail:send', name: 'mail', input: {} },
    { type: 'flow', flow: 'ask' },
  ]
  const calls: [string, Json][] = ['mail', 'ask', 'mail'].map((name) => [name, {}])
  const bot = openBot(withAgent({ tools }, { flows }), {
    model: inTurn({ text: 'I call.', calls }, 'Welcome back.'),
    others() {
      stop.abort()
      return { output: {} }
    },
  })
  expect(await bot.say('hello', stop.signal)).toEqual(['I call.'])
  expect(await bot.say('again')).toEqual(['Welcome back.'])
  expect(bot.results()).toEqual([
    {},
    { error: 'The user stopped the answer' },
    { error: 'The user stopped the answer' },
  ])
})

test('streams a text without tool calls to a chat, and completes the stream', async () => {
  const bot = openBot(withAgent({ variables: { set: ['workflow.city'] } }), {
    model: inTurn({ text: 'I note it.', calls: [['set_variables', {}]] }, 'Noted.'),
  })
  const event = bot.messageOf('hello')
  Object.assign(event.payload, { conversation: { integration: 'chat' } })
  expect(await bot.handle(event)).toEqual(['I note it.', 'Noted.'])
  const [first, second] = bot.requests.map(({ options }) => options!.publishTo!)
  expect(first).toMatchObject({ conversationId: 'conv_1' })
  expect(second!.streamId).not.toBe(first!.streamId)
  expect(bot.server.sent.map(({ payload }) => payload.metadata)).toEqual([
    undefined,
    { streamId: second!.streamId },
  ])
})

test('runs tools with valid input, and returns their outputs and errors to the model', async () => {
  const action = (code: string, properties: Json) => ({
    title: 'An action',
    input: { schema: { type: 'object', properties, required: ['n'] } },
    output: { schema: {} },
    code,
  })
  const calls: PlatformCall[] = []
  const bot = openBot(
    withAgent(
      {
        tools: [
          { type: 'action', action: 'double', description: 'Doubles' },
          { type: 'action', action: 'fails' },
          { type: 'action', action: 'mail:send', name: 'mail', input: { required: ['to'] } },
          { type: 'table', table: 'OrdersTable', operations: ['create', 'find'] },
          { type: 'knowledge', limit: 2 },
        ],
      },
      {
        actions: {
          double: action('return { twice: input.n * 2 }', { n: { type: 'number' } }),
          fails: action('throw new Error("no luck")', { n: { type: 'number' } }),
        },
        tables: { OrdersTable: { schema: { item: { type: 'string', 'x-zui': {} } } } },
        knowledgeBases: { docs: {} },
      },
    ),
    {
      model: inTurn(
        {
          calls: [
            ['double', { n: 4 }],
            ['double', { n: 'four' }],
            ['fails', { n: 1 }],
            ['none', {}],
            ['mail', { to: 'ana' }],
            ['create_OrdersTable', { row: { item: 'tea' } }],
            ['find_OrdersTable', { filter: { item: 'tea' }, limits: 1 }],
            ['search_knowledge', { query: 'hours' }],
            ['constructor', {}],
          ],
        },
        'Done.',
      ),
      others(call) {
        calls.push(call)
        if (call.path === '/v1/chat/actions') return { output: { id: 7 } }
        if (call.path.startsWith('/v1/tables')) return { rows: [{ id: 1, item: 'tea' }] }
        if (call.path.startsWith('/v1/files/search'))
          return {
            passages: [{ content: 'At nine.', score: 1, file: { id: 'f', key: 'k', tags: {} } }],
          }
        return { knowledgeBases: [{ id: 'kb_1', name: 'docs' }], meta: {} }
      },
    },
  )
  expect(await bot.say('hello')).toEqual(['Done.'])
  expect(bot.results()).toEqual([
    { twice: 8 },
    { error: 'The input is not valid: /n must be number' },
    { error: 'no luck' },
    { error: 'There is no tool "none"' },
    { id: 7 },
    [{ id: 1, item: 'tea' }],
    {
      error: 'The input is not valid: the input must NOT have additional properties ("limits")',
    },
    [{ source: 'k', content: 'At nine.' }],
    { error: 'There is no tool "constructor"' },
  ])
  expect(bot.requests[0]!.tools).toEqual([
    {
      name: 'double',
      description: 'Doubles',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    },
    expect.objectContaining({ name: 'fails', description: 'An action' }),
    { name: 'mail', parameters: { type: 'object', required: ['to'] } },
    expect.objectContaining({
      name: 'create_OrdersTable',
      parameters: expect.objectContaining({
        properties: { row: { type: 'object', properties: { item: { type: 'string' } } } },
      }),
    }),
    expect.objectContaining({ name: 'find_OrdersTable' }),
    expect.objectContaining({ name: 'search_knowledge' }),
  ])
  expect(calls.find(({ path }) => path === '/v1/chat/actions')).toMatchObject({
    key: expect.stringMatching(/^flows:evt_1:/),
    body: { type: 'mail:send', input: { to: 'ana' } },
  })
})

test('describes tools of MCP servers by the stored schemas', async () => {
  const asked: string[] = []
  const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const tools = ['add', 'gone'].map((name) => ({ type: 'action', action: `shop:${name}` }))
  const bot = openBot(
    withAgent({ tools }, { mcpServers: { shop: { url: 'https://mcp.example.org' } } }),
    {
      model: inTurn({ calls: ['four', 4].map((n) => ['shop_add', { n }]) }, 'Done.'),
      others({ path }) {
        asked.push(path)
        if (path.endsWith('gone')) throw new PlatformRejection(400, 'ReferenceNotFound', 'No tool')
        if (path === '/v1/chat/actions') return { output: { sum: 5 } }
        return { tool: { description: 'Adds one', inputSchema } }
      },
    },
  )
  expect(await bot.say('hello')).toEqual(['Done.'])
  expect(bot.requests[0]!.tools).toEqual([
    { name: 'shop_add', description: 'Adds one', parameters: inputSchema },
    { name: 'shop_gone', parameters: { type: 'object' } },
  ])
  expect(bot.results()).toEqual([
    { error: 'The input is not valid: /n must be number' },
    { sum: 5 },
  ])
  expect(asked.filter((path) => path.endsWith('action=shop%3Aadd'))).toHaveLength(1)
})

test('shows variables to the model, and lets it set some of them', async () => {
  const bot = openBot(
    withAgent(
      { variables: { read: ['user.name'], set: ['workflow.count', 'session.note'] } },
      { variables: { user: { name: { type: 'string', default: 'Ana' } } } },
    ),
    {
      model: inTurn(
        {
          calls: [
            ['set_variables', { 'workflow.count': 'two' }],
            ['set_variables', { 'user.name': 'Eve' }],
            ['set_variables', { 'workflow.count': 2, 'session.note': [1] }],
          ],
        },
        'ok',
      ),
    },
  )
  await bot.say('hello')
  expect(bot.results()).toEqual([
    { error: expect.stringContaining('must be number') },
    { error: expect.stringContaining('additional properties ("user.name")') },
    { ok: true },
  ])
  const { stack, session } = bot.memory() as { stack: { variables: Json }[]; session: Json }
  expect(stack[0]!.variables.count).toBe(2)
  expect(session).toEqual({ note: [1] })
  expect(bot.requests.map(({ systemPrompt }) => systemPrompt!.split('\n\n').at(-1))).toEqual([
    'Variables: {"user.name":"Ana","workflow.count":null,"session.note":null}',
    'Variables: {"user.name":"Ana","workflow.count":2,"session.note":[1]}',
  ])
})

const exits = {
  found: {
    description: 'The city is known',
    when: 'outputs.count > 1',
    outputs: {
      city: { type: 'string', into: 'workflow.city' },
      count: { type: 'number', into: 'workflow.count' },
    },
    to: 'after',
  },
}

test('leaves by an exit with outputs, if its condition holds', async () => {
  const exit = (count: unknown): Reply => ({ calls: [['exit_found', { city: 'Rome', count }]] })
  const bot = openBot(withAgent({ exits }), {
    model: inTurn(exit('1'), exit(1), { ...(exit(2) as object), text: 'Found it.' } as Reply),
  })
  expect(await bot.say('hello')).toEqual(['Found it.', 'after Rome 2'])
  const results = bot.requests.at(-1)!.messages.filter(({ type }) => type === 'tool_result')
  expect(results.map(({ content }) => JSON.parse(String(content)).error)).toEqual([
    'The input is not valid: /count must be number',
    'This exit is not possible now. Its condition does not hold: outputs.count > 1',
  ])
  expect(bot.memory().stack).toEqual([])
})

test('takes an exit without description as soon as its condition holds', async () => {
  const automatic = { enough: { when: 'workflow.count >= 2', to: 'after' } }
  const bot = openBot(withAgent({ exits: automatic, variables: { set: ['workflow.count'] } }), {
    model: inTurn('How many?', { calls: [['set_variables', { 'workflow.count': 2 }]] }),
  })
  expect(await bot.say('hello')).toEqual(['How many?'])
  expect(await bot.say('two')).toEqual(['after  2'])
  expect(bot.requests).toHaveLength(2)
})

test('continues at `next` after an exit without `to`', async () => {
  const bot = openBot(withAgent({ exits: { done: { description: 'Done' } }, next: 'after' }), {
    model: inTurn({ calls: [['exit_done', {}]] }),
  })
  expect(await bot.say('hello')).toEqual(['after  '])
})

const asking = {
  inputs: { what: { type: 'string' } },
  outputs: { answer: { type: 'string' } },
  description: 'Asks the user',
  nodes: {
    in: {
      type: 'entry',
      cards: [
        {
          type: 'capture',
          kind: 'text',
          into: 'workflow.answer',
          question: 'Your {{ workflow.what }}?',
        },
        { type: 'code', code: 'if (workflow.answer === "bad") throw new Error("not that")' },
      ],
    },
  },
}

test('runs flows as tools, also those that wait for the user', async () => {
  const bot = openBot(
    withAgent({ tools: [{ type: 'flow', flow: 'asking' }] }, { flows: { asking } }),
    {
      model: inTurn(
        {
          calls: [
            ['asking', { what: 'name' }],
            ['asking', { what: 'colour' }],
            ['asking', {}],
          ],
        },
        'Thanks.',
      ),
    },
  )
  expect(await bot.say('hello')).toEqual(['Your name?'])
  expect(await bot.say('Ana')).toEqual(['Your colour?'])
  expect(await bot.say('bad')).toEqual(['Thanks.'])
  expect(bot.results()).toEqual([
    { answer: 'Ana' },
    { error: 'not that' },
    { error: expect.stringContaining("must have required property 'what'") },
  ])
  expect(await bot.say('more')).toEqual(['Thanks.'])
})

const tooMany: Reply = { calls: [['none', {}]], cost: 0.3 }

test.each<[reason: string, limits: Json, calls: number]>([
  ['iterations', { iterations: 3 }, 3],
  ['tokens', { tokens: 200 }, 2],
  ['dollars', { dollars: 0.5 }, 2],
])('ends at the limit of %s', async (reason, limits, calls) => {
  const bot = openBot(withAgent({ limits, onFail: 'failed' }), { model: () => tooMany })
  expect(await bot.say('hello')).toEqual([`failed: ${reason}`])
  expect(bot.requests).toHaveLength(calls)
})

test('ends a call of the model at the limit of seconds', async () => {
  const bot = openBot(withAgent({ limits: { seconds: 1 }, onFail: 'failed' }), {
    model: () => new Promise(() => {}),
  })
  expect(await bot.say('hello')).toEqual(['failed: seconds'])
})

test('counts limits from the last message of the user', async () => {
  const bot = openBot(withAgent({ limits: { iterations: 1 } }), { model: () => 'ok' })
  for (let n = 0; n < 3; n++) expect(await bot.say('hello')).toEqual(['ok'])
})

test('goes to the exception node without `onFail`, and reports failures of the model', async () => {
  const oops = {
    type: 'exception',
    cards: [send('{{ turn.error.reason }}: {{ turn.error.message }}')],
  }
  const limited = openBot(withAgent({ limits: { iterations: 1 } }, {}, { oops }), {
    model: () => tooMany,
  })
  expect(await limited.say('hello')).toEqual([
    'iterations: The agent reached its limit of 1 iterations. Raise `limits.iterations`',
  ])
  const poor = openBot(withAgent({}, {}, { oops }), {
    model: () => {
      throw new PlatformRejection(403, 'QuotaExceeded', 'The budget is used up')
    },
  })
  expect(await poor.say('hello')).toEqual(['budget: The budget is used up'])
})

test('rejects an event without a conversation', async () => {
  const given = withAgent(
    {},
    {
      triggers: { daily: { type: 'schedule', cron: '0 9 * * *', flow: 'work' } },
      flows: { work: { nodes: { in: { type: 'entry', next: 'help' }, help: agent({}) } } },
    },
  )
  const bot = openBot(given, { model: () => 'ok' })
  const { conversationId: _c, userId: _u, messageId: _m, ...event } = bot.messageOf('')
  const tick = { ...event, type: 'flows.schedule.daily', payload: {} }
  await expect(bot.handle(tick)).rejects.toThrow('An agent needs a conversation')
})

/** Interrupts the turn after each of its calls and delivers the event again. */
test('repeats no effect and no message if the turn is interrupted after any call', {
  timeout: 60_000,
}, async () => {
  const given = withAgent(
    {
      tools: [
        { type: 'table', table: 'OrdersTable', operations: ['create'] },
        { type: 'action', action: 'shop:buy', name: 'buy', input: {} },
        { type: 'action', action: 'own' },
        { type: 'flow', flow: 'asking' },
      ],
      variables: { set: ['workflow.count'] },
      exits: { found: { ...exits.found, when: 'workflow.count === 2' } },
    },
    {
      actions: { own: { ...definition, code: 'await effect("own")' } },
      tables: { OrdersTable: { schema: {} } },
      flows: { asking },
    },
  )
  const model: Model = ({ messages }) => {
    const results = messages.filter(({ type }) => type === 'tool_result').length
    const mark = Math.random()
    if (results === 0)
      return {
        text: 'one',
        calls: [
          ['create_OrdersTable', { row: { mark } }],
          ['buy', { mark }],
          ['own', {}],
          ['asking', { what: 'name' }],
        ],
      }
    if (results === 4) return { text: 'two', calls: [['set_variables', { 'workflow.count': 2 }]] }
    return { calls: [['exit_found', { city: 'Rome', count: 2 }]] }
  }
  const talk = async (cutAt: number) => {
    const made: string[] = []
    const bot = openBot(given, {
      model,
      others(call) {
        made.push(call.path)
        return { rows: [{ id: 1 }], output: {} }
      },
    })
    bot.state.cutAt = cutAt
    for (const event of [bot.messageOf('hi'), bot.messageOf('Ana')])
      for (let delivery = 0; delivery < 2; delivery++)
        await bot.handle(event).catch((error) => {
          expect(error).toBeInstanceOf(PlatformUnreachable)
          bot.state.cutAt = Number.POSITIVE_INFINITY
        })
    const sent = bot.server.sent.map(({ payload }) => payload.text)
    return { sent, made, own: bot.effects.length, calls: bot.state.made }
  }
  const { calls, ...wanted } = await talk(Number.POSITIVE_INFINITY)
  expect(wanted).toEqual({
    sent: ['one', 'Your name?', 'two', 'after Rome 2'],
    made: ['/v1/tables/OrdersTable/rows', '/v1/chat/actions'],
    own: 1,
  })
  for (let cutAt = 1; cutAt <= calls; cutAt++) {
    const { own, sent, made } = await talk(cutAt)
    expect({ sent, made }, `interrupted in call ${cutAt}`).toEqual({
      sent: wanted.sent,
      made: wanted.made,
    })
    expect(own).toBeLessThanOrEqual(1)
  }
})

test.each([
  [false, 1, { error: expect.stringContaining('The call was interrupted') }],
  [true, 2, {}],
])(
  'repeats an interrupted call of own code if it is repeatable: %s',
  async (repeatable, times, result) => {
    const tool = { type: 'action', action: 'own', ...(repeatable && { repeatable }) }
    const actions = { own: { ...definition, code: 'await effect("own")' } }
    const bot = openBot(withAgent({ tools: [tool] }, { actions }), {
      model: inTurn({ calls: [['own', {}]] }, 'Done.'),
    })
    const event = bot.messageOf('hello')
    bot.state.cutsInEffect = true
    await expect(bot.handle(event)).rejects.toThrow('cut off')
    bot.state.cutAt = Number.POSITIVE_INFINITY
    expect(await bot.handle(event)).toEqual(['Done.'])
    expect(bot.results()).toEqual([result])
    expect(bot.effects).toHaveLength(times)
  },
)

test('bounds the stored history, and cuts long results', async () => {
  const long = { type: 'action', action: 'long' }
  const actions = {
    long: { ...definition, code: 'return { x: "ä".repeat(50000) }' },
  }
  const bot = openBot(withAgent({ tools: [long], limits: { iterations: 30 } }, { actions }), {
    model: ({ messages }) => {
      const last = messages.findLastIndex(({ content }) => String(content).startsWith('hello'))
      return messages.length - last > 16 ? 'Done.' : { calls: [['long', {}]] }
    },
  })
  for (let n = 0; n < 4; n++) await bot.say(`hello ${n}`)
  expect(Buffer.byteLength(JSON.stringify(bot.memory()))).toBeLessThan(100_000)
  const { messages } = bot.requests.at(-1)!
  expect(messages[0]).toMatchObject({
    role: 'user',
    content: expect.stringMatching(/^hello [123]/),
  })
  const contents = messages.map(({ content }) => String(content))
  expect(contents.some((one) => one.endsWith('more characters)'))).toBe(true)
  expect(contents.every((one) => one.length < 10_100)).toBe(true)
})

test('stores only what the server can store', async () => {
  const bot = openBot(withAgent({ onFail: 'failed' }), {
    model: inTurn(
      {
        text: 'a\0\ud800',
        calls: [['none', JSON.parse('{"b\\u0000": "\\udc00", "__proto__": 1}')]],
      },
      { calls: [['none', JSON.parse(`${'{"a":'.repeat(99)}1${'}'.repeat(99)}`)]] },
    ),
  })
  expect(await bot.say('hello')).toEqual(['a\ufffd', 'failed: unsuitable'])
  expect(bot.requests[1]!.messages[1]).toMatchObject({
    content: 'a\ufffd',
    toolCalls: [{ function: { arguments: { b: '\ufffd' } } }],
  })
  const cuts = openBot(withAgent({}), { model: () => 'ok' })
  await cuts.say(`a${'😀'.repeat(6_000)}`)
  expect(String(cuts.requests[0]!.messages[0]!.content).isWellFormed()).toBe(true)
})

test('traces calls of the model and of tools', async () => {
  const bot = openBot(withAgent({ exits: { done: { description: 'Done' } } }), {
    model: inTurn({ calls: [['none', { a: 1 }]] }, { calls: [['exit_done', {}]] }),
  })
  await bot.say('hello')
  expect(traceText(bot.state.traces[0]!).replaceAll(/ {2}\d+ ms|.*Z?evt_1\n| in \d+ ms/g, '')).toBe(
    [
      '  main / start',
      '  main / help',
      '      model stand-in:one: 100 + 20 tokens, $0.001',
      '      tool none {"a":1}  (There is no tool "none")',
      '      model stand-in:one: 100 + 20 tokens, $0.001',
      '      tool exit_done {}',
      '      exit "done"',
      '  done',
    ].join('\n'),
  )
})
