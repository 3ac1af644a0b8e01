// Loops of nodes, and errors of cards.
import { expect, test } from 'vitest'
import { type Given, main, node, openBot, text } from '../../test/engine-bot.ts'

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
  [
    'changes a variable',
    [{ type: 'set', variable: 'workflow.n', value: '{{ workflow.n + 1 }}' }],
  ],
  [
    'runs code',
    [
      {
        type: 'code',
        code: 'globalThis.rounds = (globalThis.rounds ?? 0) + 1; workflow.n++',
      },
    ],
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
  const loop = {
    ...main([], { again: node('standard', [call], 'again') }, 'again'),
    line,
  }
  await expect(openBot({ flows: loop }).say('x')).rejects.toThrow(
    'repeat without a change',
  )
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
    ...main([{ type: 'callFlow', flow: 'deep' }], {
      oops: node('exception', [text('caught')]),
    }),
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
    flows: main([
      ask,
      text('Thanks'),
      { type: 'code', code },
      text('{{ session.city }}: booked'),
    ]),
  })
  const breaks = botWith('throw new Error("no luck")')
  const bot = openBot(breaks)
  await bot.say('hi')
  const failed = bot.createMessage('Rome')
  for (const event of [failed, failed])
    await expect(bot.handle(event)).rejects.toThrow('no luck')
  bot.change(botWith(''))
  // "Thanks" has been sent already.
  expect(await bot.handle(failed)).toEqual(['Rome: booked'])
  expect(await bot.handle(failed)).toEqual([])
  expect(bot.memory().failed).toBeUndefined()

  bot.change(breaks)
  await bot.say('hi')
  const late = bot.createMessage('Oslo')
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
  const { conversationId: _, userId: __, ...event } = bot.createEvent('night', {})
  await expect(bot.handle(event)).rejects.toThrow('no luck')
  bot.change(given('bot.ran += 1'))
  for (const delivery of [event, event]) await bot.handle(delivery)
  expect(bot.server.states.get('bot/bot_1/flows.bot')!.payload).toMatchObject({ ran: 1 })
})
