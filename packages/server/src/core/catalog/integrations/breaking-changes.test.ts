import { expect, test } from 'vitest'
import { findBreakingChanges } from './breaking-changes.ts'
import { emptyIntegrationDefinition, mergeIntegrationDefinition } from './definition.ts'

const object = (properties: object = {}, required?: unknown) => ({
  type: 'object',
  properties,
  ...(required !== undefined && { required }),
})
const published = mergeIntegrationDefinition(emptyIntegrationDefinition, {
  configuration: { schema: object({ key: { type: 'string' } }) },
  configurations: { oauth: { schema: object() } },
  actions: {
    send: {
      input: { schema: object({ to: object({ name: {} }) }, ['to']) },
      output: { schema: object() },
    },
  },
  events: { rain: { schema: object() } },
  states: { memory: { type: 'user', schema: object() } },
  channels: { chat: { messages: { text: { schema: object() } } } },
})
const input = (schema: object) => ({
  actions: { send: { input: { schema }, output: { schema: object() } } },
})

test.each<[string, object, string[]]>([
  ['nothing', {}, []],
  ['an event goes', { events: { rain: null } }, ['events.rain was removed']],
  [
    'an action is renamed',
    { actions: { send: null, post: published.actions.send } },
    ['actions.send was removed'],
  ],
  ['a channel goes', { channels: { chat: null } }, ['channels.chat was removed']],
  [
    'a type of messages goes',
    { channels: { chat: { messages: { text: null } } } },
    ['channels.chat.messages.text was removed'],
  ],
  ['a state goes', { states: { memory: null } }, ['states.memory was removed']],
  [
    'a state is of another type',
    { states: { memory: { type: 'conversation', schema: object() } } },
    ['states.memory has another type'],
  ],
  [
    'a configuration goes',
    { configurations: { oauth: null } },
    ['configurations.oauth was removed'],
  ],
  [
    'more must be configured',
    { configuration: { schema: object({ key: {} }, ['key']) } },
    ['configuration.key is now required'],
  ],
  [
    'an action takes more',
    input(object({ to: object() }, ['to', 'text'])),
    ['actions.send.input.text is now required'],
  ],
  [
    'and within',
    input(object({ to: object({ name: {} }, ['name']) }, ['to'])),
    ['actions.send.input.to.name is now required'],
  ],
  ['an action takes less', input(object()), []],
  [
    'more of everything',
    {
      actions: { more: published.actions.send },
      events: { snow: { schema: object() } },
      states: { more: published.states.memory },
    },
    [],
  ],
  [
    'nonsense where there might be names',
    input({ properties: 'none', required: { a: 1 } }),
    [],
  ],
])('%s', (_, change, broken) =>
  expect(
    findBreakingChanges(published, mergeIntegrationDefinition(published, change)),
  ).toEqual(broken),
)
