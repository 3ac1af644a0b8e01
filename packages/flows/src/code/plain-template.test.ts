import { expect, test } from 'vitest'
import { fillPlainTemplate, listPaths, readPlainTemplate } from './plain-template.ts'
import type { Surroundings } from './surroundings.ts'
import { fill } from './template.ts'

const scopes = {
  user: {
    id: 'user_1',
    name: 'Ana',
    tags: { city: 'Rome', 'first name': 'Ana "A"', hostile: '{{ user.id }} @user.id' },
  },
  conversation: { id: 'conv_1', tags: { lang: 'it' }, count: 3, on: false },
}
const event = {
  botId: 'bot_1',
  id: 'evt_1',
  direction: 'incoming',
  type: 'text',
  payload: {},
}
const surroundings = {
  event: { ...event, state: { session: {}, context: {} } },
  scopes: { workflow: {}, bot: {}, session: {}, turn: {}, env: {}, ...scopes },
} as unknown as Surroundings

const fillPlain = (json: unknown, maxLength = 10_000) =>
  fillPlainTemplate(readPlainTemplate(json), scopes, maxLength)

test.each([
  'plain',
  'Hi {{ user.name }}, of {{user.tags.city}}!',
  'Hi @user.name, of @user.tags.city.',
  'ana@user.com, @somebody, @ user.name',
  '{{ user.tags["first name"] }} {{ user.tags[\'city\'] }} {{ user?.tags?.city }}',
  "{{ user.tags.none ?? \"friend\" }}, {{ user.tags.none ?? user.none ?? 'it\\'s' }}",
  '{{ conversation.count }}',
  '{{ conversation.count }} {{ conversation.on || "off" }} {{ conversation.on ?? "off" }}',
  '{{ user.tags }}!',
  '{{ user.tags.hostile }} again',
  '\\{{ user.name }} {{ user.name',
  '}} {{ user.name }} {{',
  '{{ }}|{{}}|{{ user.none ?? "" }}|',
  '{{ user.none ?? "}}" }} {{ user.none ?? "a\\"b\\n" }}',
  {
    a: ['{{ conversation.count }}', { 'b {{ x }}': '@user.name' }],
    n: 1,
    t: true,
    z: null,
  },
])('gives the value that flows give for %j', async (json) => {
  const expected = await fill(json, surroundings, { file: 'message', timeoutMs: 10_000 })
  expect(fillPlain(json)).toEqual({ value: expected })
})

test.each([
  ['Hi {{ user.none }}', 'user.none'],
  ['Hi @user.tags.none', '@user.tags.none'],
  ['{{ user.tags.none ?? user.other }}', 'user.tags.none ?? user.other'],
  ['{{ user.constructor }} {{ user.name }}', 'user.constructor'],
  ['{{ user.tags.__proto__.toString }}', 'user.tags.__proto__.toString'],
  ['{{ user.name.length }}', 'user.name.length'],
])('reports the missing value of %j', (text, missing) => {
  expect(fillPlain({ text })).toEqual({ missing })
})

test.each([
  '{{ process.pid }}',
  '{{ user.name + 1 }}',
  '{{ user.name() }}',
  '{{ user[name] }}',
  '{{ user.name ?? user.id || "x" }}',
  '{{ "open }}',
  '{{ user. }}',
  '{{ user.name } }}',
  '{{ globalThis }}',
  'Hi @workflow.name',
  '{{ constructor.constructor("return process")() }}',
])('rejects %j with its place', (text) => {
  expect(() => readPlainTemplate({ card: { lines: ['', text] } })).toThrow(
    expect.objectContaining({
      path: 'card.lines[1]',
      message: expect.stringContaining('is not a path with defaults'),
    }),
  )
})

test('reads a hostile text in linear time, and limits the length of the result', () => {
  const from = performance.now()
  for (const piece of [
    '{{ user.tags.city ?? "',
    '{{',
    '\\{{',
    '@user.a',
    '{{ user.name }}',
  ])
    try {
      readPlainTemplate(piece.repeat(20_000 / piece.length))
    } catch {
      // Most of them are not plain.
    }
  expect(performance.now() - from).toBeLessThan(500)
  expect(fillPlain('{{ user.tags.city }}'.repeat(1_000), 3_999)).toBeNull()
  expect(fillPlain('{{ user.tags.city }}'.repeat(1_000), 4_000)).not.toBeNull()
})

test('lists the paths of all terms', () => {
  expect(
    listPaths(readPlainTemplate(['@user.name', { a: '{{ row.x ?? row["y z"] }}' }])),
  ).toEqual([
    ['user', 'name'],
    ['row', 'x'],
    ['row', 'y z'],
  ])
})
