import { expect, test } from 'vitest'
import { runHooks } from '../code/hooks.ts'
import type { Surroundings } from '../code/surroundings.ts'
import { openTrace } from './trace.ts'
import { traceText } from './trace-text.ts'

function turn() {
  let time = Date.parse('2026-01-02T03:04:05Z')
  const event = {
    botId: 'bot_1',
    id: 'evt_1',
    direction: 'incoming' as const,
    type: 'text',
    payload: { text: 'my card is 4111' },
    preview: 'my card is 4111',
    messageId: 'msg_1',
    createdOn: new Date(time),
    state: { session: {}, context: {} },
  }
  const surroundings: Surroundings = {
    event,
    scopes: {
      workflow: {},
      conversation: {},
      user: {},
      bot: {},
      session: {},
      turn: {},
      env: { key: 'secret' },
    },
  }
  const trace = openTrace(event, () => time++)
  const run = (codes: Record<string, unknown>[]) => {
    const hooks = codes.map((hook) => ({
      kind: 'beforeIncoming' as const,
      code: '',
      ...hook,
    }))
    const scripts = Object.fromEntries(
      codes.map(({ code }, index) => [
        `/hooks/${index}/code`,
        { file: `bot.json#/hooks/${index}/code`, code: String(code) },
      ]),
    )
    return runHooks({
      kind: 'beforeIncoming',
      hooks,
      scripts,
      surroundings,
      timeoutMs: 10_000,
      trace,
    })
  }
  return { surroundings, trace, run }
}

test('runs hooks of one kind in order, each with the changes of the others', async () => {
  const { surroundings, trace, run } = turn()
  const redact = {
    code: 'event.payload.text = event.payload.text.replace(/\\d{4,}/g, "…"); turn.order = ["first"]',
  }
  expect(
    await run([
      redact,
      { kind: 'afterTurnEnd', code: 'turn.order.push("no")' },
      { code: 'turn.order.push(event.preview)' },
    ]),
  ).toEqual({ stopped: false })
  expect(surroundings.event).toMatchObject({
    payload: { text: 'my card is …' },
    preview: 'my card is …',
  })
  expect(surroundings.scopes.turn).toEqual({ order: ['first', 'my card is …'] })
  expect(JSON.stringify(trace.toTurnTrace('done'))).not.toContain('4111')
})

test('runs no further hook after one returns stop', async () => {
  const { surroundings, run } = turn()
  expect(
    await run([{ code: 'return { stop: true }' }, { code: 'turn.ran = true' }]),
  ).toEqual({
    stopped: true,
  })
  expect(surroundings.scopes.turn).toEqual({})
})

test('records errors of hooks, and throws only with breaksTurn', async () => {
  const { surroundings, trace, run } = turn()
  await run([{ name: 'greet', code: '\nnull.x' }, { code: 'turn.ran = true' }])
  expect(surroundings.scopes.turn).toEqual({ ran: true })
  expect(trace.toTurnTrace('done').troubles).toEqual([
    {
      where: 'the hook "greet" (beforeIncoming)',
      message: expect.stringContaining(
        "Cannot read properties of null (reading 'x') (bot.json#/hooks/0/code:2:6)\n  > null.x",
      ),
    },
  ])
  await expect(
    run([{ breaksTurn: true, code: 'throw new Error("enough")' }]),
  ).rejects.toThrow('enough')
})

test('traces steps without the configuration, up to a limit', async () => {
  const { trace } = turn()
  trace.note({ kind: 'node', flow: 'main', node: 'start' })
  const card = trace.begin({ kind: 'card', type: 'code', index: 0, name: 'look up' })
  await trace.call('createRow', Promise.resolve(1))
  await trace.call('getRow', Promise.reject(new Error('no such row'))).catch(() => {})
  trace.changes('workflow', { a: 1, same: [1] }, { b: 'x'.repeat(1000), same: [1] })
  trace.changes('env', { key: 'secret' }, {})
  card.end()
  trace.note({ kind: 'said', type: 'text', text: 'Hello' })
  trace.trouble('the action find', new Error('odd'))
  const turnTrace = trace.toTurnTrace('done')
  expect(JSON.stringify(turnTrace)).not.toContain('secret')
  expect(traceText(turnTrace)).toBe(
    [
      '2026-01-02 03:04:05  text  "my card is 4111"  evt_1',
      '  main / start',
      '    1. code "look up"  7 ms',
      '      calls createRow  1 ms',
      '      calls getRow  1 ms  (no such row)',
      '      workflow.a: 1 → nothing',
      `      workflow.b: nothing → "${'x'.repeat(299)}…`,
      '      sends "Hello"',
      '  ! the action find: odd',
      '  done in 11 ms',
    ].join('\n'),
  )
  for (let n = 0; n < 1000; n++) trace.note({ kind: 'note', text: 'x'.repeat(1000) })
  expect(JSON.stringify(trace.toTurnTrace('done')).length).toBeLessThan(200_000)
  expect(trace.toTurnTrace('done').left).toBeGreaterThan(500)
})
