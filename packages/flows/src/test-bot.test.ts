// The tests of a document, as the server runs them.
import { expect, test } from 'vitest'
import type { FlowDocument } from './document/document.ts'
import { compileScripts } from './document/scripts.ts'
import { runTests } from './test-bot.ts'

const send = (message: string) => ({ type: 'send', message })
const document = {
  kind: 'bot',
  version: 2,
  flows: {
    main: { nodes: { start: { type: 'start', cards: [send('Hello!'), send('Bye!')] } } },
  },
  tests: {
    Greets: { steps: [{ user: 'hi' }, { bot: 'Hello!' }, { bot: 'Bye!' }] },
    Stays: { steps: [{ user: 'hi' }, { bot: 'Hello!' }] },
  },
} as unknown as FlowDocument

const run = async (names: string[] | null, tested = document) => {
  const program = { document: tested, scripts: compileScripts(tested).scripts }
  const { status, body } = await runTests(program)({ body: JSON.stringify({ names }) })
  expect(status).toBe(200)
  return JSON.parse(body).results
}

test('returns the results by name, with the step of a failure', async () => {
  const results = await run(null)
  const visited = [{ flow: 'main', nodes: ['start'] }]
  expect(results).toEqual([
    { name: 'Greets', ms: expect.any(Number), visited },
    {
      name: 'Stays',
      ms: expect.any(Number),
      failure: {
        step: 2,
        message: expect.stringContaining('Bye!'),
        difference: { expected: null, actual: 'Bye!' },
        place: { flow: 'main', node: 'start', card: 1 },
        trace: expect.stringContaining('main / start'),
      },
      visited,
    },
  ])
})

test('lists 20,000 visited nodes of all tests, and counts the others', async () => {
  const chain = (index: number) => ({
    type: index === 0 ? 'start' : 'standard',
    cards: [],
    ...(index < 299 && { next: `n${index + 1}` }),
  })
  const nodes = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`n${at}`, chain(at)]),
  )
  const tests = Object.fromEntries(
    Array.from({ length: 68 }, (_, at) => [`t${at}`, { steps: [{ user: 'hi' }] }]),
  )
  const large = {
    ...document,
    flows: { main: { nodes } },
    tests,
  } as unknown as FlowDocument
  const results = await run(null, large)
  const count = ({ visited }: { visited: { nodes: string[] }[] }) =>
    visited[0]?.nodes.length ?? 0
  expect(results[65]).not.toHaveProperty('unlisted')
  expect([count(results[65]), count(results[66]), count(results[67])]).toEqual([
    300, 200, 0,
  ])
  expect(results[66].unlisted + results[67].unlisted).toBe(400)
})

test('runs the named tests only', async () => {
  expect((await run(['Stays'])).map(({ name }: { name: string }) => name)).toEqual([
    'Stays',
  ])
  expect(await run(['None'])).toEqual([])
})
