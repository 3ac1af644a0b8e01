// Turns that are interrupted, repeated or stopped.
import { expect, test } from 'vitest'
import { type Given, main, node, openBot, text } from '../../test/engine-bot.ts'
import {
  type Json,
  type PlatformCall,
  PlatformRejection,
  PlatformUnreachable,
} from './platform.ts'

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
        {
          type: 'code',
          code: 'user.visits += 1; bot.ran += 1; turn.lucky = Math.random()',
        },
        text('two {{ turn.lucky }}'),
        text('three {{ turn.lucky }}'),
        { type: 'callAction', action: 'weather:get', into: 'session.weather' },
        {
          type: 'capture',
          kind: 'text',
          into: 'session.city',
          question: 'Where?',
          timeout: 60,
        },
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
    for (const event of [bot.createMessage('hi'), bot.createMessage('Rome')]) {
      for (let delivery = 0; delivery < 2; delivery++) {
        await bot.handle(event).catch((error) => {
          expect(error).toBeInstanceOf(PlatformUnreachable)
          bot.state.cutAt = Number.POSITIVE_INFINITY
        })
      }
    }
    expect(bot.server.scheduled).toHaveLength(1)
    expect(bot.server.states.get('bot/bot_1/flows.bot')!.payload).toMatchObject({
      ran: 1,
    })
    const all = bot.server.sent.map(({ payload }) => String(payload.text))
    const lucky = all.map((one) => / (0\.\d+)/.exec(one)?.[1]).filter(Boolean)
    expect(lucky, 'a random value survives the interruption').toEqual([
      lucky[0],
      lucky[0],
    ])
    return { sent: all.map((one) => one.replace(/ 0\.\d+/, '')), made: bot.state.made }
  }
  const { sent, made } = await talk(Number.POSITIVE_INFINITY)
  expect(sent).toEqual(wanted)
  for (let cutAt = 1; cutAt <= made; cutAt++)
    expect((await talk(cutAt)).sent, `interrupted in call ${cutAt}`).toEqual(wanted)
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
  const event = bot.createMessage('hi')
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
        ...main([
          text('one'),
          { type: 'callAction', action: 'slow:work', input: {} },
          text('two'),
        ]),
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
  expect(await bot.handle(bot.createMessage('hello'), stop.signal)).toEqual(['one'])
  expect(bot.state.traces.at(-1)).toMatchObject({ outcome: 'stopped' })
  expect(await bot.handle(bot.createMessage('again'))).toEqual(['one', 'two'])
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
        flows: main([
          { type: 'callAction', action: 'slow:work', input: {} },
          text('done'),
        ]),
        settings,
      },
      {
        others: async ({ path, body }) => {
          if (path === '/v1/platform/conversations/conv_1/typing') reports.push(body)
          // Longer than the half second after which the indicator is shown.
          if (path === '/v1/chat/actions')
            await new Promise((resolve) => setTimeout(resolve, 700))
          return { output: {} }
        },
      },
    )
  expect(await slow({}).say('hello')).toEqual(['done'])
  expect(reports).toEqual([])
  expect(await slow({ typingIndicator: true }).say('hello')).toEqual(['done'])
  await expect.poll(() => reports).toEqual([{ isTyping: true }, { isTyping: false }])
})
