import { expect, test } from 'vitest'
import {
  type BotDefinition,
  type BotDefinitionChange,
  emptyBotDefinition,
  mergeBotDefinition,
} from './definition.ts'

const merge = (change: BotDefinitionChange, now: BotDefinitionChange = {}) =>
  mergeBotDefinition(mergeBotDefinition(emptyBotDefinition, now), change)
const schema = { type: 'object' }

test.each<[string, BotDefinitionChange, BotDefinitionChange, Partial<BotDefinition>]>([
  [
    'a new key is set',
    {},
    { states: { cart: { type: 'user', schema } } },
    { states: { cart: { type: 'user', schema } } },
  ],
  [
    'an absent key stays',
    { user: { tags: { vip: {} } } },
    { user: { tags: { age: {} } } },
    { user: { tags: { vip: {}, age: {} } } },
  ],
  [
    'null removes',
    { conversation: { tags: { a: {}, b: {} } } },
    { conversation: { tags: { a: null } } },
    { conversation: { tags: { b: {} } } },
  ],
  [
    'null for a missing key does nothing',
    {},
    { actions: { ping: null } },
    { actions: {} },
  ],
  [
    'an absent map stays',
    { message: { tags: { a: {} } } },
    { message: {} },
    { message: { tags: { a: {} } } },
  ],
  [
    'configuration is replaced, part by part',
    { configuration: { data: { a: 1, b: 2 }, schema } },
    { configuration: { data: { a: 3 } } },
    { configuration: { data: { a: 3 }, schema } },
  ],
  [
    'medias are replaced',
    { medias: [{ url: 'u', name: 'a' }] },
    { medias: [] },
    { medias: [] },
  ],
  [
    'attributes are merged',
    { events: { e: { schema, attributes: { a: '1', b: '2' } } } },
    { events: { e: { schema, attributes: { a: null, c: '3' } } } },
    { events: { e: { schema, attributes: { b: '2', c: '3' } } } },
  ],
  [
    'attributes that are null at once are not there',
    {},
    { events: { e: { schema, attributes: { a: null } } } },
    { events: { e: { schema, attributes: {} } } },
  ],
  [
    'a schema is replaced whole',
    { events: { e: { title: 'E', schema } } },
    { events: { e: { schema: {} } } },
    { events: { e: { title: 'E', schema: {} } } },
  ],
  ['subscriptions begin with all', {}, {}, { subscriptions: { events: null } }],
  [
    'subscriptions narrow',
    { subscriptions: { events: { a: {} } } },
    { subscriptions: { events: { b: {}, a: null } } },
    { subscriptions: { events: { b: {} } } },
  ],
  [
    'subscriptions return to all',
    { subscriptions: { events: { a: {} } } },
    { subscriptions: { events: null } },
    { subscriptions: { events: null } },
  ],
])('%s', (_, now, change, expected) => {
  expect(merge(change, now)).toMatchObject(expected)
  for (const key of Object.keys(expected) as (keyof BotDefinition)[])
    expect(merge(change, now)[key]).toEqual(expected[key])
})

test('accepts keys that every object inherits', () => {
  const hostile = JSON.parse(
    '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "toString": {}}',
  )
  const merged = merge(
    { states: hostile, events: { e: { schema: {}, attributes: hostile } } },
    { states: { hasOwnProperty: {} } },
  )
  expect(Object.keys(merged.states).sort()).toEqual([
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'toString',
  ])
  expect(Object.getPrototypeOf(merged.states)).toBe(Object.prototype)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('changes neither argument', () => {
  const now = Object.freeze({
    ...emptyBotDefinition,
    states: Object.freeze({ a: { type: 'user' as const, schema } }),
  })
  const change = Object.freeze({
    states: Object.freeze({ a: null, b: { type: 'bot' as const, schema } }),
  })
  expect(mergeBotDefinition(now, change).states).toEqual({ b: { type: 'bot', schema } })
  expect(now.states).toEqual({ a: { type: 'user', schema } })
})
