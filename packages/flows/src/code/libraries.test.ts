import { expect, test } from 'vitest'
import { loadLibraries } from './libraries.ts'

test.each([
  [
    'code after a line break',
    { scripts: { '/a': { code: 'await x()\naxios.get(url)' } } },
    'axios',
  ],
  [
    'an expression',
    { document: { cards: [{ message: '{{ _.sum(workflow.prices) }}' }] } },
    '_',
  ],
  ['the client of the bot', ['return (await client.listUsers({})).users'], 'Client'],
  ['a computed name', "globalThis['axios'].get()", 'axios'],
  ['several', ['axios(_.first(urls))', { more: 'client' }], 'Client _ axios'],
  [
    'parts of other names',
    'my_axios, axiosLike, $client, clients, a_b, snake_ and _private',
    '',
  ],
  ['nothing', { document: {}, scripts: {}, count: 3, none: null }, ''],
])('loads libraries for %s', async (_, program, names) => {
  expect(
    Object.keys(await loadLibraries(program))
      .sort()
      .join(' '),
  ).toBe(names)
})
