// The engine in process, against an in-memory server: flows, nodes, code, hooks and cards.
import { expect, test } from 'vitest'
import { main, node, openBot, strings, text } from '../../test/engine-bot.ts'
import { traceText } from '../tracing/trace-text.ts'
import { handleAction } from './engine.ts'
import type { Json, PlatformCall } from './platform.ts'

test('stores answers of captures, and starts main again after its end', async () => {
  const ask = (into: string, kind: string, question: string) => ({
    type: 'capture',
    into,
    kind,
    question,
  })
  const cards = [
    ask('workflow.name', 'text', 'Who are you?'),
    ask('workflow.age', 'number', 'How old, {{ workflow.name }}?'),
    text('{{ workflow.name }} is {{ workflow.age }}.'),
  ]
  const bot = openBot({
    flows: {
      main: {
        variables: { name: strings, age: { type: 'number' } },
        nodes: { start: node('start', cards) },
      },
    },
  })
  expect(await bot.say('hello')).toEqual(['Who are you?'])
  expect(await bot.say('Ana')).toEqual(['How old, Ana?'])
  expect(await bot.say('old')).toHaveLength(1)
  expect(await bot.say('33')).toEqual(['Ana is 33.'])
  expect(await bot.say('hello')).toEqual(['Who are you?'])
})

test('moves between nodes and flows, with inputs and outputs', async () => {
  const bot = openBot({
    variables: { conversation: { total: { type: 'number', default: 1 } } },
    flows: {
      main: {
        nodes: {
          start: node('start', [
            { type: 'transition', when: 'event.preview === "add"', to: 'add' },
            text('skipped?'),
            { type: 'goTo', to: { flow: 'other' } },
            text('never'),
          ]),
          add: node(
            'standard',
            [
              {
                type: 'callFlow',
                flow: 'sum',
                inputs: { a: '{{ conversation.total }}', b: 5 },
                outputs: { sum: 'conversation.total' },
              },
              text('Now {{ conversation.total }}'),
            ],
            'end',
          ),
          end: node('end', [text('Bye')]),
        },
      },
      sum: {
        inputs: { a: { type: 'number' }, b: { type: 'number', default: 2 } },
        outputs: { sum: { type: 'number' } },
        nodes: {
          in: node(
            'entry',
            [
              {
                type: 'set',
                variable: 'workflow.sum',
                value: '{{ workflow.a + workflow.b }}',
              },
            ],
            'out',
          ),
          out: node('exit', []),
        },
      },
      other: { nodes: { in: node('entry', [text('Other')]) } },
    },
  })
  expect(await bot.say('add')).toEqual(['Now 6', 'Bye'])
  expect(await bot.say('add')).toEqual(['Now 11', 'Bye'])
  expect(await bot.say('x')).toEqual(['skipped?', 'Other'])
  const transition = { type: 'transition', when: 'event.preview === "add"', to: 'add' }
  for (const [index, outcome] of ['taken', 'taken', 'not taken'].entries())
    expect(bot.state.traces[index]!.steps).toContainEqual(
      expect.objectContaining({ ...transition, outcome }),
    )
  expect(traceText(bot.state.traces[2]!)).toContain(
    '1. transition: event.preview === "add" → add  (not taken)',
  )
})

test('lets code read and set variables, but not undeclared ones or other types', async () => {
  const variables = {
    user: { name: strings },
    bot: { count: { type: 'number', default: 0 } },
    configuration: {
      greeting: { type: 'string', default: 'Hi' },
      key: { type: 'string', secret: true },
    },
  }
  const cards = [
    {
      type: 'code',
      code:
        'const n: number = bot.count\nbot.count = n + 1\nuser.name = event.preview\nsession.last = ' +
        'env.key',
    },
    text('{{ env.greeting }} {{ user.name }} {{ bot.count }} {{ session.last }}'),
  ]
  const bot = openBot({ variables, flows: main(cards) }, { env: { key: 'k' } })
  expect(await bot.say('Ana')).toEqual(['Hi Ana 1 k'])
  expect(await bot.say('Bo', { conversationId: 'conv_2' })).toEqual(['Hi Bo 2 k'])
  expect(bot.server.states.get('user/user_1/flows.user')!.payload).toEqual({ name: 'Bo' })
  expect(bot.server.states.get('bot/bot_1/flows.bot')!.payload).toEqual({ count: 2 })
  for (const [code, message] of [
    ['bot.count = "many"', 'bot.count has the type "number" and cannot hold "many"'],
    ['bot["other"] = 1', 'bot.other is not declared'],
    ['env.key = 1', 'Variables of `env` are read-only'],
  ] as const)
    await expect(
      openBot({ variables, flows: main([{ type: 'code', code }]) }).say('x'),
      code,
    ).rejects.toThrow(message)
})

test('lets hooks change or stop events and messages', async () => {
  const hooks = [
    {
      kind: 'beforeIncoming',
      code: 'event.payload.text = event.payload.text.toUpperCase()',
    },
    { kind: 'afterIncoming', code: 'return { stop: event.preview === "STOP" }' },
    {
      kind: 'beforeOutgoing',
      code:
        'if (outgoingEvent.payload.text.includes("secret")) return { stop: true ' +
        '}\noutgoingEvent.payload.text += "!"',
    },
    { kind: 'afterTurnEnd', code: 'conversation.turns += 1' },
  ]
  const bot = openBot({
    hooks,
    variables: { conversation: { turns: { type: 'number', default: 0 } } },
    flows: main([text('{{ event.preview }}'), text('secret')]),
  })
  expect(await bot.say('hi')).toEqual(['HI!'])
  expect(await bot.say('stop')).toEqual([])
  expect(bot.memory()).toMatchObject({ variables: { turns: 1 } })
})

test('runs cards for actions, tables, knowledge bases, tags and logs', async () => {
  const calls: PlatformCall[] = []
  let isMade = false
  const others = (call: PlatformCall) => {
    calls.push(call)
    const { method, path } = call
    if (path === '/v1/chat/actions') return { output: { rain: true } }
    if (path.startsWith('/v1/files/knowledge-bases'))
      return { knowledgeBases: [{ id: 'kb_1', name: 'FAQ' }], meta: {} }
    if (path.startsWith('/v1/files/search'))
      return {
        passages: [
          {
            content: 'At nine.',
            score: 0.9,
            file: { id: 'f', key: 'k', tags: { kbId: 'kb_1', title: 'Hours' } },
          },
          { content: 'Delivery', score: 0.05, file: { id: 'g', key: 'l', tags: {} } },
        ],
      }
    if (path === '/v1/tables/OrdersTable' && method === 'POST') isMade = true
    if (path.startsWith('/v1/tables/') && !isMade) return undefined
    return path.endsWith('/rows/find') ? { rows: [{ id: 1, what: 'tea' }] } : {}
  }
  const action = {
    input: { schema: {} },
    output: { schema: {} },
    code: 'return { twice: input.n * 2 }',
  }
  const cards = [
    {
      type: 'callAction',
      action: 'double',
      input: { n: '{{ 4 }}' },
      into: 'session.doubled',
    },
    {
      type: 'callAction',
      action: 'weather:get',
      input: { city: '{{ event.preview }}' },
      into: 'session.weather',
    },
    { type: 'queryKnowledge', query: 'when, [e-mail]?', minScore: 0.1 },
    {
      type: 'table',
      table: 'OrdersTable',
      operation: 'find',
      filter: { what: '{{ "tea" }}' },
      into: 'session.orders',
    },
    { type: 'tag', of: 'user', tags: { city: '{{ event.preview }}' } },
    { type: 'log', level: 'warn', message: 'said {{ event.preview }}' },
    text(
      '{{ session.doubled.twice }} {{ session.weather.rain }} {{ turn.KnowledgeAgent.answer }} {{ ' +
        'event.kb.results.map(({ title }) => title) }} {{ session.orders[0].what }} ' +
        '{{ event.tags.user.city }}',
    ),
  ]
  const bot = openBot(
    {
      flows: main(cards),
      actions: { double: action },
      knowledgeBases: { faq: { name: 'FAQ' } },
      tables: { OrdersTable: { schema: { type: 'object' } } },
    },
    { others },
  )
  expect(await bot.say('Rome')).toEqual(['8 true At nine. ["Hours"] tea Rome'])
  expect(bot.state.logs).toEqual(['warn said Rome'])
  expect(bot.state.traces.at(-1)!.steps).toContainEqual(
    expect.objectContaining({
      kind: 'call',
      search: {
        query: 'when,  ?',
        limit: 5,
        minScore: 0.1,
        hasOwnMinScore: true,
        knowledgeBases: ['kb_1'],
        passages: [
          { fileId: 'f', fileKey: 'k', score: 0.9 },
          { fileId: 'g', fileKey: 'l', score: 0.05 },
        ],
      },
    }),
  )
  const variables = bot.state.traces
    .at(-1)!
    .steps.flatMap((step) => (step.kind === 'set' ? step.variable : []))
  expect(variables.filter((name) => name === 'session.weather')).toHaveLength(1)
  expect(calls.find(({ path }) => path === '/v1/chat/actions')!.body).toEqual({
    type: 'weather:get',
    input: { city: 'Rome' },
  })
  expect(calls.findLast(({ path }) => path.endsWith('/rows/find'))!.body).toEqual({
    filter: { what: 'tea' },
  })
  expect(
    bot.server.calls.find(({ path }) => path === '/v1/chat/users/user_1')!.body,
  ).toEqual({
    tags: { city: 'Rome' },
  })
  expect(await handleAction(bot.engine, 'double', { n: 5 }, {}, 'act_1')).toEqual({
    twice: 10,
  })
  await expect(handleAction(bot.engine, 'toString', {}, {}, 'act_2')).rejects.toThrow(
    'has no action',
  )
})

test.each([
  ['0.03', 0.1, 'Low.'],
  ['0.03', undefined, 'Low.'],
  [undefined, undefined, 'none'],
  ['0.9', 0.01, 'none'],
  [undefined, 0.1, 'none'],
  [undefined, 0.01, 'Low.'],
])(
  'a minimum score %s of the knowledge base replaces %s of the card',
  async (own, minScore, answer) => {
    const tags = own === undefined ? {} : { minScore: own }
    const passage = {
      content: 'Low.',
      score: 0.05,
      file: { id: 'f', key: 'k', tags: { kbId: 'kb_1' } },
    }
    const others = ({ path }: PlatformCall) => {
      if (path === '/v1/files/knowledge-bases')
        return { knowledgeBases: [{ id: 'kb_1', name: 'faq', tags }], meta: {} }
      // The server leaves out passages below the minimum score of their knowledge base.
      if (path.startsWith('/v1/files/search?'))
        return { passages: 0.05 >= Number(own ?? 0) ? [passage] : [] }
      return undefined
    }
    const cards = [
      { type: 'queryKnowledge', ...(minScore !== undefined && { minScore }) },
      text("{{ turn.KnowledgeAgent.answer || 'none' }}"),
    ]
    const bot = openBot({ flows: main(cards), knowledgeBases: { faq: {} } }, { others })
    expect(await bot.say('hello')).toEqual([answer])
  },
)

test('runs a flow that is a tool without a conversation', async () => {
  const bot = openBot({
    variables: { bot: { runs: { type: 'number', default: 0 } } },
    flows: {
      ...main([]),
      error: { nodes: { in: { type: 'entry', cards: [text('Sorry')] } } },
      half: {
        tool: { description: 'Halves a number' },
        inputs: { n: { type: 'number' }, by: { type: 'number', default: 2 } },
        outputs: { result: { type: 'number' }, note: { type: 'string' } },
        nodes: {
          in: { type: 'entry', next: 'check' },
          check: {
            type: 'standard',
            cards: [
              {
                type: 'code',
                code: "bot.runs += 1; if (workflow.n < 0) throw new Error('negative')",
              },
              { type: 'transition', when: 'workflow.n === 0', to: 'out' },
              {
                type: 'set',
                variable: 'workflow.result',
                value: '{{ workflow.n / workflow.by }}',
              },
            ],
          },
          out: { type: 'exit' },
        },
      },
    },
  })
  const run = (input: Json, id: string) =>
    handleAction(bot.engine, 'flows.half', input, {}, id)
  expect(await run({ n: 6 }, 'act_1')).toEqual({ result: 3 })
  expect(await run({ n: 6, by: 3 }, 'act_2')).toEqual({ result: 2 })
  expect(await run({ n: 0 }, 'act_3')).toEqual({})
  await expect(run({ n: -1 }, 'act_4')).rejects.toThrow('negative')
  await expect(handleAction(bot.engine, 'flows.main', {}, {}, 'act_5')).rejects.toThrow(
    'no action',
  )
  const states = bot.server.calls.filter(({ path }) => path.endsWith('/flows.bot'))
  expect(states.findLast(({ method }) => method === 'PATCH')!.body).toEqual({
    payload: { runs: 3 },
  })
})

test('traces the node at which the conversation waits, also after a flow that it called', async () => {
  const question = {
    type: 'capture',
    kind: 'text',
    question: 'What?',
    into: 'workflow.answer',
  }
  const bot = openBot({
    flows: {
      main: {
        variables: { answer: strings },
        nodes: {
          start: node('start', [{ type: 'callFlow', flow: 'help' }, question], 'bye'),
          bye: node('end', [text('Bye')]),
        },
      },
      help: { nodes: { in: node('entry', [text('I can help')]) } },
    },
  })
  expect(await bot.say('hi')).toEqual(['I can help', 'What?'])
  expect(await bot.say('tea')).toEqual(['Bye'])
  expect(bot.state.traces.map(({ position }) => position)).toEqual([
    { flow: 'main', node: 'start' },
    { flow: 'main', node: 'bye' },
  ])
})
