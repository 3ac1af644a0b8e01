// The tests of a document, as the server runs them.
import { expect, test } from 'vitest'
import type { FlowDocument } from './document/document.ts'
import { compileScripts } from './document/scripts.ts'
import { runTests } from './test-bot.ts'

const send = (message: string) => ({ type: 'send', message })
const document = {
  kind: 'bot',
  version: 2,
  flows: { main: { nodes: { start: { type: 'start', cards: [send('Hello!'), send('Bye!')] } } } },
  tests: {
    Greets: { steps: [{ user: 'hi' }, { bot: 'Hello!' }, { bot: 'Bye!' }] },
    Stays: { steps: [{ user: 'hi' }, { bot: 'Hello!' }] },
  },
} as unknown as FlowDocument

const run = async (names: string[] | null) => {
  const program = { document, scripts: compileScripts(document).scripts }
  const { status, body } = await runTests(program)({ body: JSON.stringify({ names }) })
  expect(status).toBe(200)
  return JSON.parse(body).results
}

test('returns the results by name, with the step of a failure', async () => {
  const results = await run(null)
  expect(results).toEqual([
    { name: 'Greets', ms: expect.any(Number) },
    {
      name: 'Stays',
      ms: expect.any(Number),
      failure: {
        step: 2,
        message: expect.stringContaining('Bye!'),
        trace: expect.stringContaining('main / start'),
      },
    },
  ])
})

test('runs the named tests only', async () => {
  expect((await run(['Stays'])).map(({ name }: { name: string }) => name)).toEqual(['Stays'])
  expect(await run(['None'])).toEqual([])
})
