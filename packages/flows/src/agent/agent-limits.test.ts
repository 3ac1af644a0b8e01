// Limits of agents, failures of the model, and the size of the stored history.
import { expect, test } from 'vitest'
import {
  definition,
  inTurn,
  openBot,
  type Reply,
  send,
  withAgent,
} from '../../test/agent-bot.ts'
import { type Json, PlatformRejection } from '../engine/platform.ts'

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

test('bounds the stored history, and cuts long results', async () => {
  const long = { type: 'action', action: 'long' }
  const actions = {
    long: { ...definition, code: 'return { x: "ä".repeat(50000) }' },
  }
  const bot = openBot(
    withAgent({ tools: [long], limits: { iterations: 30 } }, { actions }),
    {
      model: ({ messages }) => {
        const last = messages.findLastIndex(({ content }) =>
          String(content).startsWith('hello'),
        )
        return messages.length - last > 16 ? 'Done.' : { calls: [['long', {}]] }
      },
    },
  )
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
