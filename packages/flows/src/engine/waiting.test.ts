// Conversations that wait: for triggers, events, people, and the end of inactivity.
import { expect, test } from 'vitest'
import { main, node, openBot, text } from '../../test/engine-bot.ts'
import type { MemoryHandoff } from '../testing/memory-platform.ts'

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
            {
              type: 'set',
              variable: 'bot.days',
              value: '{{ bot.days + event.payload.n }}',
            },
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
            {
              type: 'capture',
              kind: 'text',
              into: 'session.name',
              question: 'Your name?',
            },
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
  expect(
    await bot.deliver('handoff_closed', { ...closed, handoffId: 'another' }),
  ).toEqual([])
  // Another flow asks meanwhile: the card continues after it.
  expect(await bot.deliver('paid')).toEqual(['Your name?'])
  expect(await bot.deliver('handoff_closed', closed)).toEqual([])
  expect(await bot.say('Ana')).toEqual(['Paid', 'Welcome back: returned'])
  expect(bot.server.states.has('conversation/conv_1/flows.activity')).toBe(true)
})

test('keeps its position while a person holds the conversation', async () => {
  const capture = {
    type: 'capture',
    kind: 'text',
    into: 'session.city',
    question: 'Where?',
  }
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
    const event = bot.createMessage('help')
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
    hooks: [
      {
        kind: 'afterConversationEnd',
        code: 'session.over = true; conversation.ends += 1',
      },
    ],
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
    return bot.deliver('state_expired', {
      state: { name: 'flows.activity', type: 'conversation' },
    })
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

test('keeps waiting flows and their callers after a failed or abandoned trigger', async () => {
  const ask = { type: 'capture', kind: 'text', into: 'session.city', question: 'Where?' }
  const bot = openBot({
    flows: {
      ...main([
        { type: 'callFlow', flow: 'asking' },
        text('back in main: {{ session.city }}'),
      ]),
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
