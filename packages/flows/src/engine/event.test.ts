import { expect, test } from 'vitest'
import { incomingEvent, outgoingEvent } from './event.ts'

const state = { session: {}, context: {} }
const delivered = {
  id: 'evt_1',
  createdAt: '2026-01-02T03:04:05.678Z',
  type: 'message_created',
  conversationId: 'conv_1',
  userId: 'user_1',
  messageId: 'msg_1',
  payload: {
    message: {
      id: 'msg_1',
      type: 'text',
      payload: { text: 'hi' },
      tags: { 'chat:id': '1' },
    },
    user: { id: 'user_1', tags: { name: 'Ana' } },
    conversation: { id: 'conv_1', integration: 'chat', channel: 'channel', tags: {} },
  },
}

test('builds an event with the type and data of the message', () => {
  const trigger = { flowId: 'main', nodeId: 'start' }
  const kb = { included: ['docs'] }
  expect(incomingEvent(delivered, { botId: 'bot_1', state, trigger, kb })).toEqual({
    botId: 'bot_1',
    conversationId: 'conv_1',
    direction: 'incoming',
    id: 'evt_1',
    integration: 'chat',
    messageId: 'msg_1',
    userId: 'user_1',
    type: 'text',
    payload: { text: 'hi' },
    preview: 'hi',
    state,
    kb,
    trigger,
    createdOn: new Date('2026-01-02T03:04:05.678Z'),
    tags: { conversation: {}, message: { 'chat:id': '1' }, user: { name: 'Ana' } },
  })
})

test('names the integration of an event and omits absent values', () => {
  const { id, createdAt } = delivered
  expect(
    incomingEvent(
      { id, createdAt, type: 'mail:arrived', payload: { from: 'x' } },
      { botId: 'bot_1', state },
    ),
  ).toEqual({
    botId: 'bot_1',
    direction: 'incoming',
    id: 'evt_1',
    integration: 'mail',
    type: 'mail:arrived',
    payload: { from: 'x' },
    preview: 'mail:arrived',
    state,
    createdOn: new Date(createdAt),
  })
})

test('names the incoming event in an outgoing event', () => {
  const incoming = incomingEvent(delivered, { botId: 'bot_1', state })
  const at = new Date(5)
  expect(
    outgoingEvent(incoming, {
      id: 'out_1',
      type: 'image',
      payload: { imageUrl: 'https://a.b/c.png' },
      at,
      tags: { kind: 'picture' },
    }),
  ).toEqual({
    botId: 'bot_1',
    conversationId: 'conv_1',
    direction: 'outgoing',
    id: 'out_1',
    incomingEventId: 'evt_1',
    integration: 'chat',
    userId: 'user_1',
    type: 'image',
    payload: { imageUrl: 'https://a.b/c.png' },
    preview: '[image] https://a.b/c.png',
    state,
    createdOn: at,
    tags: { conversation: {}, message: { kind: 'picture' }, user: { name: 'Ana' } },
  })
})
