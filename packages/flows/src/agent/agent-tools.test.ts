// Tools of agents: their inputs, outputs and errors, variables, and flows as tools.
import { expect, test } from 'vitest'
import { asking, inTurn, openBot, withAgent } from '../../test/agent-bot.ts'
import { type Json, type PlatformCall, PlatformRejection } from '../engine/platform.ts'

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
          {
            type: 'action',
            action: 'mail:send',
            name: 'mail',
            input: { required: ['to'] },
          },
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
            passages: [
              { content: 'At nine.', score: 1, file: { id: 'f', key: 'k', tags: {} } },
            ],
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
      error:
        'The input is not valid: the input must NOT have additional properties ("limits")',
    },
    [{ source: 'k', content: 'At nine.' }],
    { error: 'There is no tool "constructor"' },
  ])
  expect(bot.requests[0]!.tools).toEqual([
    {
      name: 'double',
      description: 'Doubles',
      parameters: {
        type: 'object',
        properties: { n: { type: 'number' } },
        required: ['n'],
      },
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
  const inputSchema = {
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
  }
  const tools = ['add', 'gone'].map((name) => ({
    type: 'action',
    action: `shop:${name}`,
  }))
  const bot = openBot(
    withAgent({ tools }, { mcpServers: { shop: { url: 'https://mcp.example.org' } } }),
    {
      model: inTurn({ calls: ['four', 4].map((n) => ['shop_add', { n }]) }, 'Done.'),
      others({ path }) {
        asked.push(path)
        if (path.endsWith('gone'))
          throw new PlatformRejection(400, 'ReferenceNotFound', 'No tool')
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
  const { stack, session } = bot.memory() as {
    stack: { variables: Json }[]
    session: Json
  }
  expect(stack[0]!.variables.count).toBe(2)
  expect(session).toEqual({ note: [1] })
  expect(
    bot.requests.map(({ systemPrompt }) => systemPrompt!.split('\n\n').at(-1)),
  ).toEqual([
    'Variables: {"user.name":"Ana","workflow.count":null,"session.note":null}',
    'Variables: {"user.name":"Ana","workflow.count":2,"session.note":[1]}',
  ])
})

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
