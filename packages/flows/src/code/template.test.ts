import { expect, test } from 'vitest'
import type { Surroundings } from './surroundings.ts'
import { checkExpression, evaluate, fill } from './template.ts'

const surroundings: Surroundings = {
  event: {
    botId: 'bot_1',
    id: 'evt_1',
    direction: 'incoming',
    type: 'text',
    payload: { text: 'hi' },
    preview: 'hi',
    userId: 'user_1',
    createdOn: new Date('2026-01-02T03:04:05.678Z'),
    state: { session: {}, context: {} },
  },
  scopes: {
    workflow: {
      city: 'Rome',
      list: [1, 2],
      nothing: null,
      hostile: '{{ env.key }} @env.key',
    },
    conversation: {},
    user: { name: 'Ana', address: { street: 'Main' } },
    bot: { n: 3 },
    session: {},
    turn: {},
    env: { key: 'secret' },
  },
}
const filled = (json: unknown) =>
  fill(json, surroundings, { file: 'bot.json', timeoutMs: 10_000 })

test.each([
  ['plain', 'plain'],
  ['Hi {{ user.name }}, of {{workflow.city}}!', 'Hi Ana, of Rome!'],
  ['Hi @user.name, of @workflow.city.', 'Hi Ana, of Rome.'],
  ['@user.address.street and @workflow.none.deep.', 'Main and .'],
  ['ana@user.com, @somebody, @ user.name', 'ana@user.com, @somebody, @ user.name'],
  ['{{ bot.n }}', 3],
  ['@workflow.list', [1, 2]],
  ['{{ workflow.list }}!', '[1,2]!'],
  ['{{ workflow.nothing }}', null],
  ['<{{ workflow.nothing }}{{ workflow.none }}>', '<>'],
  [
    '{{ event.preview }} {{ event.userId }} {{ event.createdOn.getUTCFullYear() }}',
    'hi user_1 2026',
  ],
  ['{{ {a: {b: 1}} }}', { a: { b: 1 } }],
  ['{{ "}}" + "{{" }}', '}}{{'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the author's text has it
  ['{{ `${user.name}}}` }}', 'Ana}}'],
  ['{{ }}|{{}}', '|'],
  ['\\{{ user.name }}', '{{ user.name }}'],
  ['{{ user.name', '{{ user.name'],
  ['}} {{ 1 }} {{', '}} 1 {{'],
  ['{{ 1 // one }}', 1],
  ['{{ await Promise.resolve(2) }}', 2],
  ['{{ event.createdOn }}', '2026-01-02T03:04:05.678Z'],
  [
    { a: ['{{ bot.n }}', { 'b {{ bot.n }}': '@user.name' }], n: 1, t: true, z: null },
    { a: [3, { 'b {{ bot.n }}': 'Ana' }], n: 1, t: true, z: null },
  ],
])('fills %j', async (json, value) => {
  expect(await filled(json)).toEqual(value)
})

test('does not evaluate results again', async () => {
  expect(await filled('{{ workflow.hostile }}!')).toBe('{{ env.key }} @env.key!')
  expect(
    await filled({
      a: '@workflow.hostile',
      b: '{{ workflow.hostile + workflow.hostile }}',
    }),
  ).toEqual({
    a: surroundings.scopes.workflow.hostile,
    b: '{{ env.key }} @env.key{{ env.key }} @env.key',
  })
})

test('keeps expressions from changing variables or reaching the process', async () => {
  expect(
    await filled(
      '{{ workflow.city = "Oslo" }} {{ delete user.name }} {{ typeof process }} {{ typeof require }}',
    ),
  ).toBe('Oslo true undefined undefined')
  expect(surroundings.scopes).toMatchObject({
    workflow: { city: 'Rome' },
    user: { name: 'Ana' },
  })
  await filled(
    '{{ Object.prototype.polluted = 1 }} {{ [].constructor.prototype.polluted = 1 }} {{ ' +
      '({}).__proto__.polluted = 1 }}',
  )
  expect(
    ({} as { polluted?: number }).polluted ?? ([] as { polluted?: number }).polluted,
  ).toBeUndefined()
})

test.each([
  ['{{ (() => { for (;;) {} })() }}', 'took longer'],
  ['{{ new Promise(() => {}) }}', 'took longer'],
  ['{{ ({ toJSON() { for (;;) {} } }) }}', 'took longer'],
  ['{{ none.such }}', 'ReferenceError: none is not defined (bot.json:1)\n  > none.such'],
  ['{{ user.first.name }}', 'TypeError: Cannot read properties of undefined'],
  ['{{ (() => { throw null })() }}', 'null'],
  [
    'line\n{{ 1 + }}',
    'The text in {{ }} is not a JavaScript expression: "1 +" is incomplete (bot.json:2)',
  ],
  ['{{ 1), (2 }}', 'not a JavaScript expression'],
  ['{{ 1], [2 }}', 'not a JavaScript expression'],
  ['{{ if (1) {} }}', 'not a JavaScript expression'],
  ['{{ env.key = 1 }}', '`env` are read-only'],
  ['{{ import("node:fs") }}', 'Code cannot import modules'],
  [`{{ ${'{{ '.repeat(300)}${'}}'.repeat(300)}`, 'not a JavaScript expression'],
])('rejects %j', async (text, message) => {
  await expect(
    fill(text, surroundings, { file: 'bot.json', timeoutMs: 200 }),
  ).rejects.toThrow(message)
})

test.each([
  ['bot.n > 2', true],
  ['{{ bot.n > 2 }}', true],
  ['@bot.n > 2 && user.name === "Ana"', true],
  ['"@user.name".length', 10],
  ['/@user.name/.test("@user.name")', true],
  ['{{ bot.n }} ? 1 : 2', 'error'],
])('evaluates the expression %s', async (text, value) => {
  const found = evaluate(text, surroundings, { file: 'bot.json', timeoutMs: 10_000 })
  if (value === 'error')
    await expect(found).rejects.toThrow('The text is not a JavaScript expression')
  else expect(await found).toBe(value)
})

test('checks an expression without running it', () => {
  expect(() => checkExpression('bot.n >', 'bot.json')).toThrow(
    'The text is not a JavaScript expression: "bot.n >" is incomplete (bot.json:1)\n  > bot.n >',
  )
})
