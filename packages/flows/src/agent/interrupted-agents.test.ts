// Turns of agents that are interrupted and repeated.
import { expect, test } from 'vitest'
import {
  asking,
  definition,
  exits,
  inTurn,
  type Model,
  openBot,
  withAgent,
} from '../../test/agent-bot.ts'
import { PlatformUnreachable } from '../engine/platform.ts'

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
    if (results === 4)
      return { text: 'two', calls: [['set_variables', { 'workflow.count': 2 }]] }
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
    for (const event of [bot.createMessage('hi'), bot.createMessage('Ana')])
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
    const event = bot.createMessage('hello')
    bot.state.cutsInEffect = true
    await expect(bot.handle(event)).rejects.toThrow('cut off')
    bot.state.cutAt = Number.POSITIVE_INFINITY
    expect(await bot.handle(event)).toEqual(['Done.'])
    expect(bot.results()).toEqual([result])
    expect(bot.effects).toHaveLength(times)
  },
)
