import { expect, test } from 'vitest'
import { botRequest, integrationRequest } from './request.ts'

const decode = (text: string | undefined) =>
  JSON.parse(Buffer.from(text ?? '', 'base64').toString('utf8'))
const configuration = {
  id: 'bot_1',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  data: { greeting: 'Grüß dich' },
}
const bot = { botId: 'bot_1', botUserId: 'user_1', configuration, tags: { team: 'søk' } }
const integration = {
  botId: 'bot_1',
  botUserId: 'user_1',
  integrationId: 'intver_1',
  alias: 'telegram',
  webhookId: 'hook',
  configuration: { botToken: 't' },
  configurationType: null,
}

test('sends a bot its id, the operation and its configuration', () => {
  const request = botRequest(bot, {
    operation: 'event_received',
    type: 'message_created',
    body: { event: { id: 'evt_1' } },
  })
  expect(request).toMatchObject({
    method: 'POST',
    path: '/',
    query: '',
    body: '{"event":{"id":"evt_1"}}',
  })
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'x-bot-id': 'bot_1',
    'x-bot-user-id': 'user_1',
    'x-bp-operation': 'event_received',
    'x-bp-type': 'message_created',
  })
  expect(decode(request.headers['x-bp-tags'])).toEqual({ team: 'søk' })
})

test('encodes the configuration of a bot as a state with a JSON payload', () => {
  const sent = decode(
    botRequest(bot, { operation: 'ping' }).headers['x-bp-configuration'],
  )
  expect(sent).toEqual({
    id: 'bot_1',
    createdAt: configuration.createdAt,
    updatedAt: configuration.updatedAt,
    type: 'bot',
    payload: '{"greeting":"Grüß dich"}',
  })
})

test('sends no empty headers and always a body, as the SDK requires', () => {
  const request = botRequest({ ...bot, tags: {} }, { operation: 'register', type: '' })
  expect(request.headers['x-bp-type']).toBe('register')
  expect(request.headers['x-bp-tags']).toBe('e30=')
  expect(request.body).toBe('{}')
})

test('sends an integration its configuration unchanged, and its name only if it has one', () => {
  const request = integrationRequest(integration, {
    operation: 'webhook_received',
    body: { req: { method: 'GET' } },
  })
  expect(request.headers).toEqual({
    'content-type': 'application/json',
    'x-bot-id': 'bot_1',
    'x-bot-user-id': 'user_1',
    'x-integration-id': 'intver_1',
    'x-integration-alias': 'telegram',
    'x-webhook-id': 'hook',
    'x-bp-operation': 'webhook_received',
    'x-bp-configuration': Buffer.from('{"botToken":"t"}').toString('base64'),
  })
  expect(
    integrationRequest(
      { ...integration, configurationType: 'oauth' },
      { operation: 'ping' },
    ).headers['x-bp-configuration-type'],
  ).toBe('oauth')
})
