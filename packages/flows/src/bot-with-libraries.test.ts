import { expect, test } from 'vitest'
import { runFlows } from './bot-with-libraries.ts'
import { checkDocument } from './check/check.ts'
import { compileCode, compileDocument } from './document/compile.ts'
import type { FlowDocument } from './document/document.ts'

const toDocument = (code: string) =>
  checkDocument({
    kind: 'bot',
    version: 2,
    flows: {
      main: { nodes: { start: { type: 'start', cards: [{ type: 'code', code }] } } },
    },
  }) as FlowDocument

test('puts libraries only into bots that name one', () => {
  const [without, similar, named] = [
    'return 3',
    'return my_sum()',
    'return _.sum([1, 2])',
  ].map((code) => compileDocument(toDocument(code)).length)
  expect(Math.abs(similar! - without!)).toBeLessThan(1_000)
  expect(named).toBeGreaterThan(1.5 * without!)
})

test('opens a bot with libraries', async () => {
  const document = toDocument(
    'await client.listUsers({}); await axios.get(_.first(urls))',
  )
  const handle = runFlows({ document, scripts: compileCode(document) })
  expect(await handle({ headers: { 'x-bp-operation': 'register' } })).toEqual({
    status: 200,
  })
})
