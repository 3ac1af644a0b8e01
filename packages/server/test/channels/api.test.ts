import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OwnApp, openOwnApp } from './api-stand-in.ts'
import {
  type ChannelScene,
  describeChannel,
  installChannel,
  openChannelScene,
  until,
} from './cases.ts'

describe('as every channel', () => describeChannel('api', openOwnApp))

describe('for one’s own app', () => {
  let channel: ChannelScene
  let app: OwnApp
  beforeAll(async () => {
    channel = await openChannelScene('api', async () => {
      app = await openOwnApp()
      return app
    })
  })
  afterAll(() => channel?.close())

  const place = { conversationId: 'c1', userId: 'u1' }
  const message = {
    ...place,
    messageId: 'forged',
    type: 'text',
    payload: { text: 'forged' },
  }
  const listEvents = async (type: string) => {
    const path = `/v1/chat/events?type=${encodeURIComponent(`api:${type}`)}`
    const { body } = await channel.scene.call('GET', path, {
      headers: channel.scene.asBot,
    })
    return body.events as { payload: Record<string, unknown> }[]
  }

  test.each<[string, Record<string, string>]>([
    [
      'a wrong signature',
      { 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` },
    ],
    ['a short signature', { 'webhook-signature': 'v1,AAAA' }],
    ['no signature', { 'webhook-signature': '' }],
    ['another id', { 'webhook-id': 'another', 'webhook-signature': 'v1a,x' }],
    [
      'an old time',
      { 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 301) },
    ],
    ['a time that is no number', { 'webhook-timestamp': 'now' }],
  ])('rejects a request with %s, and stores nothing', async (_, headers) => {
    const { status } = await app.post(message, headers)
    expect(status).toBe(401)
    const all = await channel.messages()
    expect(all.filter(({ payload }) => payload.text === 'forged')).toEqual([])
  })

  test.each<[string, Record<string, unknown>]>([
    ['conversationId', { ...message, conversationId: undefined }],
    ['userId', { ...message, userId: 7 }],
    ['messageId', { ...message, messageId: '' }],
    ['type', { ...message, type: 'constructor' }],
    ['payload', { ...message, payload: ['text'] }],
    ['payload.text', { ...message, payload: {} }],
    ['payload.text', { ...message, payload: { text: 5 } }],
    ['payload.text', { ...message, payload: { text: '' } }],
    ['payload.options', { ...message, type: 'choice', payload: { text: 'Which?' } }],
    ['event', { ...place, event: '__proto__' }],
    ['reaction', { ...place, messageId: 'm', event: 'reactionAdded' }],
  ])('names the wrong field: %s', async (field, body) => {
    const reply = await app.post(body)
    expect([reply.status, await reply.text()]).toEqual([
      400,
      expect.stringContaining(`\`${field}\``),
    ])
  })

  test('rejects a request of more than 1 MB', async () => {
    const reply = await app.post({ ...message, payload: { text: 'x'.repeat(1_100_000) } })
    expect([reply.status, await reply.text()]).toEqual([
      413,
      expect.stringContaining('1 MB'),
    ])
  })

  test.each<[string, Record<string, unknown>]>([
    ['image', { imageUrl: 'https://example.org/a.png', own: { nested: [1] } }],
    ['location', { latitude: 1.5, longitude: -2, title: 'Here' }],
    ['choice', { text: 'Which?', options: [{ label: 'A', value: 'a', icon: '🍕' }] }],
    ['bloc', { items: [{ type: 'text', payload: { text: 'x', own: 1 } }] }],
  ])('passes %s on unchanged both ways', async (type, payload) => {
    await app.receive(type, payload)
    const arrived = (await channel.messages()).findLast((one) => one.type === type)
    expect(arrived?.payload).toEqual(payload)
    const { id } = await channel.send(type, payload)
    await until(() => app.received.has(id))
    expect(app.received.get(id)).toEqual({
      conversationId: 'c1',
      messageId: id,
      type,
      payload,
    })
  })

  test('typing, edits, deletions and reactions arrive as events, once for each id', async () => {
    await app.say('to be edited')
    const messageTags = { id: 'm', conversationId: 'c1' }
    const about = { ...place, messageId: 'm' }
    const userTags = { id: 'u1' }
    const edit = { payload: { text: 'edited' } }
    await app.post({ ...about, event: 'messageEdited', ...edit })
    await app.post({ ...about, event: 'messageDeleted' })
    for (const id of ['first', 'first', 'second'])
      await app.post({ ...about, event: 'reactionAdded', reaction: '👍' }, {}, id)
    await app.post({ ...place, event: 'typingStarted' })
    expect((await listEvents('messageEdited'))[0]?.payload).toMatchObject({
      messageTags,
      userTags,
      ...edit,
    })
    expect((await listEvents('messageDeleted'))[0]?.payload).toMatchObject({
      messageTags,
      userTags,
    })
    const reactions = await listEvents('reactionAdded')
    expect(reactions.map(({ payload }) => payload.reaction)).toEqual(['👍', '👍'])
    expect((await listEvents('typingStarted'))[0]?.payload).toMatchObject({
      userId: 'u1',
    })
  })

  test('typing of the bot is an event for the app', async () => {
    const [{ conversationId } = { conversationId: '' }] = await channel.messages()
    const call = (type: string) =>
      channel.scene.call('POST', '/v1/chat/actions', {
        headers: channel.scene.asBot,
        body: { type, input: { conversationId } },
      })
    expect((await call('api:startTypingIndicator')).status).toBe(200)
    expect((await call('api:stopTypingIndicator')).status).toBe(200)
    const events = [...app.received.values()].flatMap(({ event }) => event ?? [])
    expect(events.slice(-2)).toEqual(['typingStarted', 'typingStopped'])
  })

  test.each([
    [{ signingSecret: 'c2hvcnQ=' }, /openssl rand/],
    [{ signingSecret: Buffer.alloc(32).toString('base64') }, /same signing secret/],
    [{ appUrl: '/nowhere' }, /path in the address/],
  ])('says what is wrong with %j', async (changed, reason) => {
    const url = new URL(String(app.configuration.appUrl))
    const appUrl = new URL(
      'appUrl' in changed ? String(changed.appUrl) : url.pathname,
      url,
    ).href
    const wrong = { ...app.configuration, ...changed, appUrl }
    await expect(installChannel(channel.scene, 'api', wrong)).rejects.toThrow(reason)
    await installChannel(channel.scene, 'api', app.configuration)
  })
})
