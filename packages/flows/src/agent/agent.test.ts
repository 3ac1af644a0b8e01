// Agents in process, against an in-memory server and a scripted model: messages, exits, traces.
import { expect, test } from 'vitest'
import {
  agent,
  exits,
  inTurn,
  openBot,
  type Reply,
  send,
  withAgent,
} from '../../test/agent-bot.ts'
import { type Json, PlatformRejection } from '../engine/platform.ts'
import { traceText } from '../tracing/trace-text.ts'

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
  const flows = {
    ask: { nodes: { entry: { type: 'entry', cards: [send('not sent')] } } },
  }
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
  const event = bot.createMessage('hello')
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

test('leaves by an exit with outputs, if its condition holds', async () => {
  const exit = (count: unknown): Reply => ({
    calls: [['exit_found', { city: 'Rome', count }]],
  })
  const bot = openBot(withAgent({ exits }), {
    model: inTurn(exit('1'), exit(1), {
      ...(exit(2) as object),
      text: 'Found it.',
    } as Reply),
  })
  expect(await bot.say('hello')).toEqual(['Found it.', 'after Rome 2'])
  const results = bot.requests
    .at(-1)!
    .messages.filter(({ type }) => type === 'tool_result')
  expect(results.map(({ content }) => JSON.parse(String(content)).error)).toEqual([
    'The input is not valid: /count must be number',
    'This exit is not possible now. Its condition does not hold: outputs.count > 1',
  ])
  expect(bot.memory().stack).toEqual([])
})

test('takes an exit without description as soon as its condition holds', async () => {
  const automatic = { enough: { when: 'workflow.count >= 2', to: 'after' } }
  const bot = openBot(
    withAgent({ exits: automatic, variables: { set: ['workflow.count'] } }),
    {
      model: inTurn('How many?', { calls: [['set_variables', { 'workflow.count': 2 }]] }),
    },
  )
  expect(await bot.say('hello')).toEqual(['How many?'])
  expect(await bot.say('two')).toEqual(['after  2'])
  expect(bot.requests).toHaveLength(2)
})

test('continues at `next` after an exit without `to`', async () => {
  const bot = openBot(
    withAgent({ exits: { done: { description: 'Done' } }, next: 'after' }),
    {
      model: inTurn({ calls: [['exit_done', {}]] }),
    },
  )
  expect(await bot.say('hello')).toEqual(['after  '])
})

test('rejects an event without a conversation', async () => {
  const given = withAgent(
    {},
    {
      triggers: { daily: { type: 'schedule', cron: '0 9 * * *', flow: 'work' } },
      flows: {
        work: { nodes: { in: { type: 'entry', next: 'help' }, help: agent({}) } },
      },
    },
  )
  const bot = openBot(given, { model: () => 'ok' })
  const {
    conversationId: _c,
    userId: _u,
    messageId: _m,
    ...event
  } = bot.createMessage('')
  const tick = { ...event, type: 'flows.schedule.daily', payload: {} }
  await expect(bot.handle(tick)).rejects.toThrow('An agent needs a conversation')
})

test('traces calls of the model and of tools', async () => {
  const bot = openBot(withAgent({ exits: { done: { description: 'Done' } } }), {
    model: inTurn({ calls: [['none', { a: 1 }]] }, { calls: [['exit_done', {}]] }),
  })
  await bot.say('hello')
  expect(
    traceText(bot.state.traces[0]!).replaceAll(/ {2}\d+ ms|.*Z?evt_1\n| in \d+ ms/g, ''),
  ).toBe(
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
