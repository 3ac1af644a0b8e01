// The engine in process, against an in-memory server: flows, nodes, cards, triggers, and
// interrupted turns.
import { expect, test } from 'vitest'
import { checkDocument, isFlowDocument } from '../check/check.ts'
import { compileScripts } from '../document/scripts.ts'
import {
  type MemoryHandoff,
  type MemoryPlatformDeps,
  openMemoryPlatform,
} from '../testing/memory-platform.ts'
import type { TurnTrace } from '../tracing/trace.ts'
import { traceText } from '../tracing/trace-text.ts'
import { handleAction, handleEvent } from './engine.ts'
import type { DeliveredEvent } from './event-types.ts'
import { openMemory } from './memory.ts'
import { type Json, type PlatformCall, PlatformRejection, PlatformUnreachable } from './platform.ts'

type Given = { flows: Json; [part: string]: unknown }

function openBot(
  given: Given,
  { others, env = {} }: { others?: MemoryPlatformDeps['others']; env?: Json } = {},
) {
  let time = Date.parse('2026-01-02T03:04:05Z')
  const server = openMemoryPlatform({ now: () => time, others })
  const state = {
    program: programOf(given),
    cutAt: Number.POSITIVE_INFINITY,
    traces: [] as TurnTrace[],
    logs: [] as string[],
    made: 0,
    count: 0,
  }
  const platform = async (call: PlatformCall) => {
    if (++state.made > state.cutAt) throw new PlatformUnreachable('cut off')
    const answer = await server.platform(call)
    // The server has run the call, but the engine does not receive the answer.
    if (state.made === state.cutAt) throw new PlatformUnreachable('cut off')
    return answer
  }
  const engine = {
    botId: 'bot_1',
    platform,
    memory: openMemory(platform),
    now: () => time,
    hostOf: () => ({ console }),
    get program() {
      return state.program
    },
    log: (level: string, text: string) => void state.logs.push(`${level} ${text}`),
    onTraced: (_turn: unknown, trace: TurnTrace) => void state.traces.push(trace),
  }
  const eventOf = (
    type: string,
    payload: Json,
    more: Partial<DeliveredEvent> = {},
  ): DeliveredEvent => ({
    id: `evt_${++state.count}`,
    createdAt: new Date(time).toISOString(),
    type,
    payload,
    conversationId: 'conv_1',
    userId: 'user_1',
    ...more,
  })
  const messageOf = (text: string, more: Partial<DeliveredEvent> = {}) => {
    const message = { id: 'msg_u', type: 'text', payload: { text }, tags: {} }
    return eventOf(
      'message_created',
      {
        message,
        user: { id: 'user_1', tags: { vip: 'yes' } },
        conversation: { id: 'conv_1', tags: {} },
      },
      { messageId: 'msg_u', ...more },
    )
  }
  /** Handles the event and returns the messages that the bot sent. */
  const handle = async (event: DeliveredEvent, signal?: AbortSignal) => {
    const before = server.sent.length
    await handleEvent(engine, event, env, signal)
    return server.sent
      .slice(before)
      .map(({ type, payload }) => (type === 'text' ? String(payload.text) : `[${type}]`))
  }
  return {
    server,
    state,
    engine,
    eventOf,
    messageOf,
    handle,
    say: (text: string, more?: Partial<DeliveredEvent>) => handle(messageOf(text, more)),
    deliver: (type: string, payload: Json = {}, more?: Partial<DeliveredEvent>) =>
      handle(eventOf(type, payload, more)),
    async pass(ms: number) {
      time += ms
    },
    memory: () => server.states.get('conversation/conv_1/flows.conversation')!.payload,
    change: (given: Given) => {
      state.program = programOf(given)
    },
  }
}

function programOf(given: Given) {
  const document = checkDocument({ kind: 'bot', version: 2, ...given })
  if (!isFlowDocument(document)) throw new Error('no flows')
  const { scripts, problems } = compileScripts(document)
  expect(problems).toEqual([])
  return { document, scripts }
}

const text = (words: string) => ({ type: 'send', message: words })
const node = (type: string, cards: unknown[], next?: unknown) => ({
  type,
  cards,
  ...(next !== undefined && { next }),
})
const main = (cards: unknown[], more: Json = {}, next?: unknown) => ({
  main: { nodes: { start: node('start', cards, next), ...more } },
})
const strings = { type: 'string' }

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
            [{ type: 'set', variable: 'workflow.sum', value: '{{ workflow.a + workflow.b }}' }],
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

test('stops a loop of nodes and runs the flow error', async () => {
  const loop = {
    ...main([], { again: node('standard', [], 'again') }, 'again'),
    error: { nodes: { in: node('entry', [text('Oh: {{ turn.error.message }}')]) } },
  }
  const bot = openBot({ flows: loop, settings: { nodeRepetitionLimit: 3 } })
  expect(await bot.say('x')).toEqual([
    'Oh: The node main/again was entered more than 3 times in one turn. Check for a loop, or raise ' +
      '`settings.nodeRepetitionLimit`',
  ])
})

test('stops a loop that changes nothing after three rounds, and names its nodes', async () => {
  const loop = main(
    [text('start')],
    {
      one: node('standard', [text('one')], 'two'),
      two: node('standard', [{ type: 'set', variable: 'workflow.n', value: 1 }], 'one'),
      oops: node('exception', [text('{{ turn.error.message }}')]),
    },
    'one',
  )
  Object.assign(loop.main!, { variables: { n: { type: 'number' } } })
  expect(await openBot({ flows: loop }).say('x')).toEqual([
    'start',
    'one',
    'one',
    'one',
    'one',
    'The nodes main/two → main/one repeat without a change, so they would never end. Let one of them ' +
      'wait for an answer, change a variable, or lead elsewhere',
  ])
})

test.each([
  ['changes a variable', [{ type: 'set', variable: 'workflow.n', value: '{{ workflow.n + 1 }}' }]],
  [
    'runs code',
    [{ type: 'code', code: 'globalThis.rounds = (globalThis.rounds ?? 0) + 1; workflow.n++' }],
  ],
])('continues a loop that %s', async (_, cards) => {
  const loop = main(
    [],
    {
      one: node(
        'standard',
        [
          ...cards,
          text('{{ workflow.n }}'),
          { type: 'transition', when: 'workflow.n === 9', to: 'out' },
        ],
        'one',
      ),
      out: node('exit', []),
    },
    'one',
  )
  Object.assign(loop.main!, { variables: { n: { type: 'number', default: 0 } } })
  expect(await openBot({ flows: loop }).say('x')).toHaveLength(9)
})

test('stops a loop of calls, but no flow that several cards call', async () => {
  const call = { type: 'callFlow', flow: 'line' }
  const line = { nodes: { in: node('entry', [text('line')]) } }
  const loop = { ...main([], { again: node('standard', [call], 'again') }, 'again'), line }
  await expect(openBot({ flows: loop }).say('x')).rejects.toThrow('repeat without a change')
  const calls = { ...main([call, call, call, call, call, call]), line }
  expect(await openBot({ flows: calls }).say('x')).toHaveLength(6)
})

test('passes errors of cards to the exception node, then to callers, then fails the turn', async () => {
  const breaks = { type: 'code', code: 'throw new Error("no luck")' }
  const caught = openBot({
    flows: main([breaks, text('no')], {
      oops: node('exception', [text('{{ turn.error.message }}: {{ turn.error.node }}')]),
    }),
  })
  expect(await caught.say('x')).toEqual([expect.stringMatching(/^no luck .*: start$/s)])
  const called = {
    ...main([{ type: 'callFlow', flow: 'deep' }], { oops: node('exception', [text('caught')]) }),
    deep: { nodes: { in: node('entry', [breaks]) } },
  }
  expect(await openBot({ flows: called }).say('x')).toEqual(['caught'])
  const bare = openBot({ flows: main([breaks]) })
  await expect(bare.say('x')).rejects.toThrow('main/start, card 1: no luck')
  expect(bare.state.traces).toMatchObject([
    {
      outcome: 'failed',
      troubles: [{ where: 'main/start, card 1' }],
      failure: expect.stringContaining('main/start, card 1: '),
    },
  ])
})

test('handles a failed event again where it began, unless the conversation continued', async () => {
  const ask = { type: 'capture', kind: 'text', into: 'session.city', question: 'Where?' }
  const botWith = (code: string): Given => ({
    flows: main([ask, text('Thanks'), { type: 'code', code }, text('{{ session.city }}: booked')]),
  })
  const breaks = botWith('throw new Error("no luck")')
  const bot = openBot(breaks)
  await bot.say('hi')
  const failed = bot.messageOf('Rome')
  for (const event of [failed, failed]) await expect(bot.handle(event)).rejects.toThrow('no luck')
  bot.change(botWith(''))
  // "Thanks" has been sent already.
  expect(await bot.handle(failed)).toEqual(['Rome: booked'])
  expect(await bot.handle(failed)).toEqual([])
  expect(bot.memory().failed).toBeUndefined()

  bot.change(breaks)
  await bot.say('hi')
  const late = bot.messageOf('Oslo')
  await expect(bot.handle(late)).rejects.toThrow('no luck')
  bot.change(botWith(''))
  expect(await bot.say('hello')).toEqual(['Where?'])
  await expect(bot.handle(late)).rejects.toThrow('has handled later events')
  expect(await bot.say('Bern')).toEqual(['Thanks', 'Bern: booked'])
})

test('handles a failed event without a conversation again', async () => {
  const given = (code: string): Given => ({
    variables: { bot: { ran: { type: 'number', default: 0 } } },
    triggers: { nightly: { type: 'event', event: 'night', flow: 'nightly' } },
    flows: {
      ...main([]),
      nightly: { nodes: { in: node('entry', [{ type: 'code', code }]) } },
    },
  })
  const bot = openBot(given('throw new Error("no luck")'))
  const { conversationId: _, userId: __, ...event } = bot.eventOf('night', {})
  await expect(bot.handle(event)).rejects.toThrow('no luck')
  bot.change(given('bot.ran += 1'))
  for (const delivery of [event, event]) await bot.handle(delivery)
  expect(bot.server.states.get('bot/bot_1/flows.bot')!.payload).toMatchObject({ ran: 1 })
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

test('starts flows by triggers, and continues a waiting capture afterwards', async () => {
  const bot = openBot({
    triggers: {
      hello: { type: 'conversationStarted', flow: 'hello' },
      paid: {
        type: 'event',
        event: 'shop:paid',
        flow: 'paid',
        node: 'trigger',
        when: 'event.payload.sum > 0',
      },
      daily: { type: 'schedule', cron: '0 9 * * *', flow: 'daily', payload: { n: 7 } },
    },
    variables: { bot: { days: { type: 'number', default: 0 } } },
    flows: {
      ...main([
        { type: 'capture', kind: 'text', into: 'session.city', question: 'Where?' },
        text('{{ session.city }}!'),
      ]),
      hello: { nodes: { in: node('entry', [text('Welcome')]) } },
      paid: {
        nodes: {
          in: node('entry', []),
          trigger: node('trigger', [
            text(
              '{{ event.trigger.eventName }} {{ event.trigger.flowId }}: {{ event.payload.sum }}',
            ),
          ]),
        },
      },
      daily: {
        nodes: {
          in: node('entry', [
            { type: 'set', variable: 'bot.days', value: '{{ bot.days + event.payload.n }}' },
            { type: 'send', message: 'Day', conversationId: 'conv_9' },
          ]),
        },
      },
    },
  })
  expect(await bot.say('hi')).toEqual(['Welcome', 'Where?'])
  expect(await bot.deliver('shop:paid', { sum: 0 })).toEqual([])
  expect(await bot.deliver('shop:paid', { sum: 3 })).toEqual(['shop:paid paid: 3'])
  expect(await bot.say('Rome')).toEqual(['Rome!'])
  const tick = { conversationId: undefined, userId: undefined, id: 'evt_tick' }
  expect(await bot.deliver('flows.schedule.daily', { n: 7 }, tick)).toEqual(['Day'])
  expect(await bot.deliver('flows.schedule.daily', { n: 7 }, tick)).toEqual([])
  const { length } = bot.server.calls
  expect(await bot.deliver('other', {}, { ...tick, id: 'evt_other' })).toEqual([])
  expect(bot.server.calls).toHaveLength(length)
  expect(bot.server.states.get('bot/bot_1/flows.bot')!.payload).toMatchObject({ days: 7 })
})

test('waits for an event until the timeout', async () => {
  const wait = {
    type: 'waitForEvent',
    event: 'done',
    when: 'event.payload.ok',
    into: 'session.result',
    timeout: 60,
    onTimeout: 'late',
  }
  const bot = openBot({
    flows: main([text('wait'), wait, text('{{ session.result.n }}')], {
      late: node('standard', [text('too late')]),
    }),
  })
  expect(await bot.say('go')).toEqual(['wait'])
  expect(await bot.say('well?')).toEqual([])
  expect(await bot.deliver('done', { ok: false })).toEqual([])
  expect(await bot.deliver('done', { ok: true, n: 4 })).toEqual(['4'])
  expect(await bot.handle(bot.server.scheduled[0]!)).toEqual([])
  await bot.say('go')
  expect(bot.server.scheduled[1]).toMatchObject({
    type: 'flows.wake',
    conversationId: 'conv_1',
    at: bot.engine.now() + 60_000,
  })
  expect(await bot.handle(bot.server.scheduled[1]!)).toEqual(['too late'])
})

test('hands over, and continues after the card when the handoff is closed', async () => {
  const handoff = {
    type: 'handoff',
    message: 'A colleague will write',
    into: 'session.closed',
    reason: '{{ "r".repeat(600) }}',
    summary: '{{ event.preview }}',
  }
  const bot = openBot({
    flows: {
      ...main([handoff, text('Welcome back: {{ session.closed.outcome }}')]),
      asks: {
        nodes: {
          in: node('entry', [
            { type: 'capture', kind: 'text', into: 'session.name', question: 'Your name?' },
            text('Paid'),
          ]),
        },
      },
    },
    triggers: { paid: { type: 'event', event: 'paid', flow: 'asks' } },
  })
  const closed = { conversationId: 'conv_1', handoffId: 'handoff_1', outcome: 'returned' }
  expect(await bot.say('help')).toEqual(['A colleague will write'])
  const [{ reason, ...requested }] = bot.server.handoffs as [MemoryHandoff]
  expect(requested).toMatchObject({ conversationId: 'conv_1', summary: 'help' })
  expect(reason).toHaveLength(500)
  expect(bot.server.states.has('conversation/conv_1/flows.activity')).toBe(false)
  expect(await bot.say('hello?')).toEqual([])
  expect(await bot.deliver('handoff_closed', { ...closed, handoffId: 'another' })).toEqual([])
  // Another flow asks meanwhile: the card continues after it.
  expect(await bot.deliver('paid')).toEqual(['Your name?'])
  expect(await bot.deliver('handoff_closed', closed)).toEqual([])
  expect(await bot.say('Ana')).toEqual(['Paid', 'Welcome back: returned'])
  expect(bot.server.states.has('conversation/conv_1/flows.activity')).toBe(true)
})

test('keeps its position while a person holds the conversation', async () => {
  const capture = { type: 'capture', kind: 'text', into: 'session.city', question: 'Where?' }
  const bot = openBot({ flows: main([capture, text('{{ session.city }}!')]) })
  expect(await bot.say('hi')).toEqual(['Where?'])
  await bot.engine.platform({
    method: 'POST',
    path: '/v1/platform/handoffs',
    body: { conversationId: 'conv_1' },
  })
  await bot.pass(2_000_000)
  bot.server.states.delete('conversation/conv_1/flows.activity')
  const expired = { state: { name: 'flows.activity', type: 'conversation' } }
  expect(await bot.deliver('state_expired', expired)).toEqual([])
  bot.server.handoffs[0]!.isOpen = false
  expect(await bot.deliver('handoff_closed', { handoffId: 'handoff_1' })).toEqual([])
  expect(bot.server.states.has('conversation/conv_1/flows.activity')).toBe(true)
  expect(await bot.say('Rome')).toEqual(['Rome!'])
})

test('requests one handoff when the turn is interrupted', async () => {
  const flows = main([{ type: 'handoff', message: 'Wait' }, text('Back')])
  for (let cutAt = 1; cutAt <= 5; cutAt++) {
    const bot = openBot({ flows })
    const event = bot.messageOf('help')
    bot.state.cutAt = cutAt
    await bot.handle(event).catch(() => {})
    bot.state.cutAt = Number.POSITIVE_INFINITY
    await bot.handle(event)
    expect(bot.server.handoffs).toHaveLength(1)
    expect(bot.server.sent).toHaveLength(1)
    const { id: handoffId } = bot.server.handoffs[0]!
    expect(await bot.deliver('handoff_closed', { handoffId })).toEqual(['Back'])
  }
})

test('runs the flows timeout and conversationEnd after the inactivity timeout', async () => {
  const flows = {
    ...main([
      { type: 'inactivityTimeout', seconds: 60 },
      { type: 'set', variable: 'session.x', value: 1 },
      { type: 'capture', kind: 'text', into: 'session.city', question: 'Where?' },
    ]),
    timeout: { nodes: { in: node('entry', [text('Still there?')]) } },
    conversationEnd: { nodes: { in: node('entry', [text('Bye {{ session.x }}')]) } },
  }
  const bot = openBot({
    flows,
    hooks: [{ kind: 'afterConversationEnd', code: 'session.over = true; conversation.ends += 1' }],
    variables: { conversation: { ends: { type: 'number', default: 0 } } },
  })
  await bot.say('hi')
  const activity = () => bot.server.states.get('conversation/conv_1/flows.activity')!
  expect(activity().expiryMs).toBe(60_000)
  const expired = { state: { name: 'flows.activity', type: 'conversation' } }
  await bot.pass(30_000)
  expect(await bot.deliver('state_expired', expired)).toEqual([])
  await bot.pass(30_000)
  expect(await bot.deliver('state_expired', expired)).toEqual(['Still there?', 'Bye 1'])
  expect(bot.memory()).toMatchObject({ stack: [], session: {}, variables: { ends: 1 } })
  await bot.pass(70_000)
  expect(await bot.deliver('state_expired', expired)).toEqual([])
  expect(await bot.say('hi')).toEqual(['Where?'])
})

test('runs no inactivity timeout after the end or if it is disabled', async () => {
  const timeout = { nodes: { in: node('entry', [text('Still there?')]) } }
  const bot = openBot({
    flows: {
      ...main([{ type: 'transition', when: 'event.preview === "bye"', to: 'end' }], {
        end: node('end', []),
      }),
      timeout,
    },
    settings: { inactivityTimeout: 60 },
  })
  const expire = async () => {
    await bot.pass(100_000)
    return bot.deliver('state_expired', { state: { name: 'flows.activity', type: 'conversation' } })
  }
  await bot.say('hi')
  expect(await expire()).toEqual(['Still there?'])
  await bot.say('hi')
  await bot.say('bye')
  expect(await expire()).toEqual([])
  await bot.say('hi')
  bot.change({ flows: { ...main([]), timeout }, settings: { inactivityTimeout: 0 } })
  await bot.say('hi')
  expect(await expire()).toEqual([])
})

test('lets hooks change or stop events and messages', async () => {
  const hooks = [
    { kind: 'beforeIncoming', code: 'event.payload.text = event.payload.text.toUpperCase()' },
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
    { type: 'callAction', action: 'double', input: { n: '{{ 4 }}' }, into: 'session.doubled' },
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
  expect(bot.server.calls.find(({ path }) => path === '/v1/chat/users/user_1')!.body).toEqual({
    tags: { city: 'Rome' },
  })
  expect(await handleAction(bot.engine, 'double', { n: 5 }, {}, 'act_1')).toEqual({ twice: 10 })
  await expect(handleAction(bot.engine, 'toString', {}, {}, 'act_2')).rejects.toThrow(
    'has no action',
  )
})

test.each([
  ['0.03', 0.1, 'Low.'],
  ['0.03', undefined, 'Low.'],
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

/** Interrupts the turn after each of its calls and delivers the event again. */
test('sends each message once if the turn is interrupted after any call', async () => {
  const given: Given = {
    triggers: { hello: { type: 'conversationStarted', flow: 'hello' } },
    variables: {
      user: { visits: { type: 'number', default: 0 } },
      bot: { ran: { type: 'number', default: 0 } },
    },
    flows: {
      ...main([
        text('one {{ user.visits }}'),
        { type: 'code', code: 'user.visits += 1; bot.ran += 1; turn.lucky = Math.random()' },
        text('two {{ turn.lucky }}'),
        text('three {{ turn.lucky }}'),
        { type: 'callAction', action: 'weather:get', into: 'session.weather' },
        { type: 'capture', kind: 'text', into: 'session.city', question: 'Where?', timeout: 60 },
        text('{{ session.city }} {{ user.visits }} {{ bot.ran }}'),
      ]),
      hello: {
        nodes: {
          in: node('entry', [
            text('Welcome'),
            { type: 'code', code: 'session.greeted = true' },
            text('again'),
          ]),
        },
      },
    },
  }
  const others = (call: PlatformCall) =>
    call.path === '/v1/chat/actions' ? { output: {} } : undefined
  const wanted = ['Welcome', 'again', 'one 0', 'two', 'three', 'Where?', 'Rome 1 1']
  const talk = async (cutAt: number) => {
    const bot = openBot(given, { others })
    bot.state.cutAt = cutAt
    for (const event of [bot.messageOf('hi'), bot.messageOf('Rome')]) {
      for (let delivery = 0; delivery < 2; delivery++) {
        await bot.handle(event).catch((error) => {
          expect(error).toBeInstanceOf(PlatformUnreachable)
          bot.state.cutAt = Number.POSITIVE_INFINITY
        })
      }
    }
    expect(bot.server.scheduled).toHaveLength(1)
    expect(bot.server.states.get('bot/bot_1/flows.bot')!.payload).toMatchObject({ ran: 1 })
    const all = bot.server.sent.map(({ payload }) => String(payload.text))
    const lucky = all.map((one) => / (0\.\d+)/.exec(one)?.[1]).filter(Boolean)
    expect(lucky, 'a random value survives the interruption').toEqual([lucky[0], lucky[0]])
    return { sent: all.map((one) => one.replace(/ 0\.\d+/, '')), made: bot.state.made }
  }
  const { sent, made } = await talk(Number.POSITIVE_INFINITY)
  expect(sent).toEqual(wanted)
  for (let cutAt = 1; cutAt <= made; cutAt++)
    expect((await talk(cutAt)).sent, `interrupted in call ${cutAt}`).toEqual(wanted)
})

test('keeps waiting flows and their callers after a failed or abandoned trigger', async () => {
  const ask = { type: 'capture', kind: 'text', into: 'session.city', question: 'Where?' }
  const bot = openBot({
    flows: {
      ...main([{ type: 'callFlow', flow: 'asking' }, text('back in main: {{ session.city }}')]),
      asking: { nodes: { in: node('entry', [ask]) } },
      broken: {
        nodes: {
          in: node('entry', [
            { type: 'code', code: 'if (event.payload.bad) throw new Error("bad")' },
            text('half'),
          ]),
        },
      },
    },
    triggers: { broken: { type: 'event', event: 'break', flow: 'broken' } },
  })
  await bot.say('hi')
  await expect(bot.deliver('break', { bad: true })).rejects.toThrow('bad')
  bot.state.cutAt = bot.state.made + 2
  await expect(bot.deliver('break', {})).rejects.toThrow('cut off')
  bot.state.cutAt = Number.POSITIVE_INFINITY
  expect(await bot.say('Rome')).toEqual(['back in main: Rome'])
})

test('repeats a call whose input differs in the repeated turn', async () => {
  const made: unknown[] = []
  const others = ({ path, body }: PlatformCall) => {
    if (path !== '/v1/chat/actions') return undefined
    made.push(body)
    return { output: {} }
  }
  const bot = openBot(
    {
      flows: main([
        { type: 'callAction', action: 'shop:buy', input: { at: '{{ Math.random() }}' } },
        text('bought'),
      ]),
    },
    { others },
  )
  const event = bot.messageOf('hi')
  bot.state.cutAt = 2
  await expect(bot.handle(event)).rejects.toThrow('cut off')
  bot.state.cutAt = Number.POSITIVE_INFINITY
  expect(await bot.handle(event)).toEqual(['bought'])
  expect(made).toHaveLength(2)
})

test('continues after a change of the document, or restarts if the position was removed', async () => {
  const ask = { type: 'capture', kind: 'text', into: 'session.city', question: 'Where?' }
  const bot = openBot({ flows: main([ask, text('{{ session.city }}')]) })
  await bot.say('hi')
  bot.change({ flows: main([ask, text('So: {{ session.city }}')]) })
  expect(await bot.say('Rome')).toEqual(['So: Rome'])
  await bot.say('hi')
  bot.change({ flows: main([text('Other')]) })
  expect(await bot.say('Rome')).toEqual(['Other'])
})

test('ends a stopped turn at its next card, without the flow for errors', async () => {
  const stop = new AbortController()
  const bot = openBot(
    {
      flows: {
        ...main([text('one'), { type: 'callAction', action: 'slow:work', input: {} }, text('two')]),
        error: { nodes: { start: node('entry', [text('an error')]) } },
      },
    },
    {
      others: ({ path }) => {
        if (path !== '/v1/chat/actions') return undefined
        stop.abort()
        return { output: {} }
      },
    },
  )
  expect(await bot.handle(bot.messageOf('hello'), stop.signal)).toEqual(['one'])
  expect(bot.state.traces.at(-1)).toMatchObject({ outcome: 'stopped' })
  expect(await bot.handle(bot.messageOf('again'))).toEqual(['one', 'two'])
})

test('ends a turn when the server rejects a message of a stopped answer', async () => {
  const bot = openBot(
    {
      flows: {
        ...main([{ type: 'callAction', action: 'slow:work', input: {} }, text('two')]),
        error: { nodes: { start: node('entry', [text('an error')]) } },
      },
    },
    {
      others: ({ path }) => {
        if (path === '/v1/chat/actions')
          throw new PlatformRejection(410, 'ResourceGone', 'The answer was stopped')
        return undefined
      },
    },
  )
  expect(await bot.say('hello')).toEqual([])
  expect(bot.state.traces.at(-1)).toMatchObject({ outcome: 'stopped' })
})

test('shows a typing indicator while a turn takes long, if the settings say so', async () => {
  const reports: unknown[] = []
  const slow = (settings: Json) =>
    openBot(
      {
        flows: main([{ type: 'callAction', action: 'slow:work', input: {} }, text('done')]),
        settings,
      },
      {
        others: async ({ path, body }) => {
          if (path === '/v1/platform/conversations/conv_1/typing') reports.push(body)
          // Longer than the half second after which the indicator is shown.
          if (path === '/v1/chat/actions') await new Promise((resolve) => setTimeout(resolve, 700))
          return { output: {} }
        },
      },
    )
  expect(await slow({}).say('hello')).toEqual(['done'])
  expect(reports).toEqual([])
  expect(await slow({ typingIndicator: true }).say('hello')).toEqual(['done'])
  await expect.poll(() => reports).toEqual([{ isTyping: true }, { isTyping: false }])
})

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
              { type: 'set', variable: 'workflow.result', value: '{{ workflow.n / workflow.by }}' },
            ],
          },
          out: { type: 'exit' },
        },
      },
    },
  })
  const run = (input: Json, id: string) => handleAction(bot.engine, 'flows.half', input, {}, id)
  expect(await run({ n: 6 }, 'act_1')).toEqual({ result: 3 })
  expect(await run({ n: 6, by: 3 }, 'act_2')).toEqual({ result: 2 })
  expect(await run({ n: 0 }, 'act_3')).toEqual({})
  await expect(run({ n: -1 }, 'act_4')).rejects.toThrow('negative')
  await expect(handleAction(bot.engine, 'flows.main', {}, {}, 'act_5')).rejects.toThrow('no action')
  const states = bot.server.calls.filter(({ path }) => path.endsWith('/flows.bot'))
  expect(states.findLast(({ method }) => method === 'PATCH')!.body).toEqual({
    payload: { runs: 3 },
  })
})
