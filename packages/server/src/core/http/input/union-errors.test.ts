// Errors of values that may have several shapes name the field of the shape that was meant.
import { afterAll, describe, expect, test } from 'vitest'
import { openScene } from '../../../../test/support/scene.ts'

const scene = await openScene()
afterAll(() => scene.close())
const { headers } = await scene.chatUser()
const chat = async (path: string, body: object) =>
  scene.call('POST', `/chat/${scene.webhookId}${path}`, { headers, body })
const conversationId = (await chat('/conversations', {})).body.conversation.id

describe('a message of the Chat API', () => {
  test.each<[unknown, string]>([
    [{ type: 'text', text: 123 }, '/text must be string'],
    [{ type: 'text' }, "must have required property 'text'"],
    [
      { type: 'location', latitude: 52.5, longitude: 13.4, address: null },
      '/address must be string',
    ],
    [
      { type: 'location', latitude: 'north', longitude: 13.4 },
      '/latitude must be number',
    ],
    [{ type: 'image', imageUrl: 5 }, '/imageUrl must be string'],
    [{ type: 'choice', text: 'a', options: {} }, '/options must be array'],
    [
      { type: 'choice', text: 'a', options: [{ label: 'b' }] },
      "/options/0 must have required property 'value'",
    ],
    [
      {
        type: 'carousel',
        items: [
          {
            type: 'card',
            title: 'a',
            actions: [{ action: 'go', label: 'b', value: 'c' }],
          },
        ],
      },
      '/action must be',
    ],
    [{ type: 'sticker', id: 5 }, '/type must be one of'],
    [{ type: 5 }, '/type must be one of'],
    [{ text: 'a' }, '/type must be one of'],
    ['text', 'must be object'],
    [null, 'must be object'],
    [[], 'must be object'],
    [{ type: '__proto__' }, '/type must be one of'],
  ])('%j', async (payload, reason) => {
    const { status, body } = await chat('/messages', { conversationId, payload })
    expect([status, body.message]).toEqual([400, expect.stringContaining(reason)])
    expect(body.message).toMatch(/^body\/payload/)
    expect(body.message).not.toContain('schema in anyOf')
  })
})

test.each<[string, object, string]>([
  ['/v1/openai/chat/completions', { n: 2 }, 'body/n must be <= 1'],
  ['/v1/openai/chat/completions', { n: 'x' }, 'body/n must be integer or null'],
  ['/v1/openai/chat/completions', { stop: 5 }, 'body/stop must be string or array'],
  [
    '/v1/openai/chat/completions',
    { tool_choice: 'always' },
    'body/tool_choice must be equal to',
  ],
  ['/v1/openai/embeddings', { input: 5 }, 'body/input must be string or array'],
  ['/v1/openai/embeddings', { input: {} }, 'body/input must be string or array'],
])('%s with %j', async (path, more, reason) => {
  const body = {
    model: 'm',
    ...(path.endsWith('s/x') ? {} : { messages: [{ role: 'user', content: 'a' }] }),
  }
  const answer = await scene.call('POST', path, {
    headers: scene.asBot,
    body: { ...body, ...more },
  })
  expect([answer.status, answer.body.error.message]).toEqual([
    400,
    expect.stringContaining(reason),
  ])
})

const times = [
  '2099-12-31T10:00:00Z',
  '2099-12-31T11:00:00+01:00',
  '2099-12-31T11:00:00.5+0100',
]
test.each(times)('schedules an event at %s', async (dateTime) => {
  const { status } = await scene.call('POST', '/v1/chat/events', {
    headers: scene.asBot,
    body: { type: 'check', payload: {}, schedule: { dateTime } },
  })
  expect(status).toBe(201)
})

test.each(['2099-12-31T11:00:00', '2099-02-30T11:00:00Z', 'tomorrow'])(
  'rejects %s with a valid example',
  async (dateTime) => {
    const create = (given: string) =>
      scene.call('POST', '/v1/chat/events', {
        headers: scene.asBot,
        body: { type: 'check', payload: {}, schedule: { dateTime: given } },
      })
    const { status, body } = await create(dateTime)
    expect([status, body.message]).toEqual([400, expect.stringContaining(dateTime)])
    const [example] = /\d{4}-\d\d-\d\dT[\d:]+Z/.exec(body.message.replace(dateTime, ''))!
    expect((await create(example)).status).toBe(201)
  },
)
