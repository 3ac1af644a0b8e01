import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene } from '../support/scene.ts'
import {
  type ChannelScene,
  describeChannel,
  installChannel,
  openChannelScene,
  until,
  untilSent,
} from './cases.ts'
import type { Json } from './stand-in.ts'
import {
  botPhone,
  openTwilio,
  personPhone,
  service,
  type Twilio,
} from './twilio-stand-in.ts'

describeChannel('twilio', openTwilio)

async function openTwilioScene(more: Json = {}) {
  const channel = await openChannelScene('twilio', () => openTwilio(more))
  const twilio = channel.standIn as Twilio
  await twilio.say('hello')
  await until(async () => (await channel.messages()).length === 1)
  return { channel, twilio }
}

describe('twilio', () => {
  let channel: ChannelScene
  let twilio: Twilio
  beforeAll(async () => {
    ;({ channel, twilio } = await openTwilioScene())
  })
  afterAll(() => channel?.close())

  const get = async (path: string) => {
    const { scene } = channel
    return (
      await scene.call('GET', path, { headers: { ...scene.admin, ...scene.asBot } })
    ).body
  }
  const added = async (work: () => Promise<unknown>): Promise<Json[]> => {
    const before = new Set((await channel.messages()).map(({ id }) => id))
    await work()
    return (await channel.messages()).filter(({ id }) => !before.has(id))
  }
  /** Returns the parts of a message as Twilio got them, once the message has their count. */
  const send = async (type: string, payload: Json): Promise<Json[]> => {
    const before = twilio.messages.length
    const { id } = await channel.send(type, payload)
    await untilSent(channel, id)
    return twilio.messages.slice(before)
  }

  test('rejects a request whose signature is missing or wrong, and stores nothing', async () => {
    const before = await channel.messages()
    const fields = { MessageSid: 'SM1', From: personPhone, To: botPhone, Body: 'forged' }
    for (const signature of [null, '', Buffer.alloc(20).toString('base64')])
      expect((await twilio.notify(fields, { signature })).status).toBe(401)
    const huge = await twilio.notify({ ...fields, Body: 'x'.repeat(200_000) })
    expect(huge.status).toBe(401)
    expect(await channel.messages()).toEqual(before)
  })

  test('the signature is of the whole address, with its query', async () => {
    const right = `${twilio.addresses[botPhone]}?a=1&b=%2B`
    const fields = {
      MessageSid: 'SM-query',
      From: personPhone,
      To: botPhone,
      Body: 'with a query',
    }
    expect(await added(() => twilio.notify(fields, { url: right }))).toHaveLength(1)
  })

  test('answers without a body and without a type, which would be an SMS', async () => {
    const response = await twilio.receive({ Body: 'quiet' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBeNull()
    expect(await response.text()).toBe('')
  })

  test('ignores requests of unknown shape', async () => {
    const before = await channel.messages()
    for (const fields of [
      {},
      { MessageSid: 'SM2' },
      { MessageSid: 'SM3', MessageStatus: 'queued' },
    ])
      expect((await twilio.notify(fields)).status).toBe(200)
    expect(await channel.messages()).toEqual(before)
  })

  test('the conversation, user and message have the tags of the official integration', async () => {
    const { conversations } = await get('/v1/chat/conversations?integrationName=twilio')
    const phones = { 'twilio:userPhone': personPhone, 'twilio:activePhone': botPhone }
    expect(conversations).toMatchObject([{ channel: 'channel', tags: phones }])
    const first = (await channel.messages()).find(
      ({ direction }) => direction === 'incoming',
    )
    expect(first?.tags['twilio:id']).toMatch(/^SM/)
    const { user } = await get(`/v1/chat/users/${first?.userId}`)
    expect(user).toMatchObject({
      name: personPhone,
      tags: { 'twilio:userPhone': personPhone },
    })
  })

  test('several files of an MMS are messages, in order, before its text', async () => {
    const fields = {
      ...twilio.addMedia(0, 'audio/amr', Buffer.from('sound')),
      ...twilio.addMedia(1, 'text/x-vcard', Buffer.from('card')),
      Body: 'two files',
    }
    const all = await added(() => twilio.receive(fields))
    expect(all.map(({ type }) => type)).toEqual(['audio', 'file', 'text'])
    expect(await (await fetch(all[0]?.payload.audioUrl)).text()).toBe('sound')
    expect(all[1]?.payload.fileUrl).toBeTruthy()
    expect(all[1]?.tags['twilio:id']).toMatch(/_media_1$/)
  })

  test('a file that Twilio does not give is a text that says so', async () => {
    const MediaUrl0 = `${twilio.url}/2010-04-01/Accounts/none/gone`
    const [message] = await added(() =>
      twilio.receive({
        NumMedia: '1',
        MediaUrl0,
        MediaContentType0: 'image/png',
        Body: '',
      }),
    )
    expect(message?.payload.text).toBe('[image: Twilio did not give the file]')
  })

  test('media are MMS with their caption; a file is a link', async () => {
    const imageUrl = 'https://example.org/a_b*c.png'
    expect(await send('image', { imageUrl, title: 'A stone' })).toMatchObject([
      { Body: 'A stone', MediaUrl: imageUrl, To: personPhone, From: botPhone },
    ])
    const fileUrl = 'https://example.org/__menu__.pdf'
    const [file] = await send('file', { fileUrl, title: 'Menu' })
    expect(file).toMatchObject({ Body: `Menu\n${fileUrl}` })
    expect(file).not.toHaveProperty('MediaUrl')
  })

  test('formatting becomes plain text, and a location a link to a map', async () => {
    const markdown = '**Bold** and [a link](https://example.org)'
    expect((await send('text', { text: markdown }))[0]?.Body).toBe(
      'Bold and a link (https://example.org)',
    )
    const place = { latitude: 44.4, longitude: 26.1, title: 'Shop' }
    expect((await send('location', place))[0]?.Body).toContain('query=44.4,26.1')
  })

  test('options of a carousel are counted over its cards, and a number has their value', async () => {
    const toCard = (title: string) => ({
      title,
      imageUrl: `https://example.org/${title}.jpg`,
      actions: [{ action: 'postback', label: `Take ${title}`, value: `take-${title}` }],
    })
    const sent = await send('carousel', { items: ['one', 'two'].map(toCard) })
    expect(sent.map(({ Body }) => Body)).toEqual([
      'one\n\n1. Take one',
      'two\n\n2. Take two',
    ])
    const [answer] = await added(() => twilio.say('2'))
    expect(answer?.payload).toMatchObject({ text: 'Take two', value: 'take-two' })
  })

  test('the state of a message is noted, and a failure is an event and a line in the log', async () => {
    await send('text', { text: 'delivered?' })
    expect((await twilio.report('delivered')).status).toBe(200)
    const all = await channel.messages()
    const person = all.find(({ direction }) => direction === 'incoming')
    const reached = await channel.scene.app.services.db
      .selectFrom('participant')
      .select(['delivered_until', 'read_until'])
      .where('user_id', '=', person?.userId)
      .executeTakeFirstOrThrow()
    expect(reached.delivered_until?.toISOString()).toBe(all.at(-1)?.createdAt)
    expect(reached.read_until).toBeNull()
    for (let i = 0; i < 2; i++) await twilio.report('undelivered', { ErrorCode: '30006' })
    const { events } = await get('/v1/chat/events?type=twilio:messageFailed')
    expect(events).toHaveLength(1)
    expect(events[0].payload).toMatchObject({
      error: expect.stringContaining('landline'),
    })
    const period = 'timeStart=2020-01-01T00:00:00Z&timeEnd=2100-01-01T00:00:00Z'
    const logs = await get(`/v1/admin/bots/${channel.scene.botId}/logs?${period}`)
    expect(JSON.stringify(logs)).toContain('landline')
  })

  test('explains that a person has answered STOP', async () => {
    twilio.failNext('rejected')
    await channel.send('text', { text: 'to somebody who wants nothing' })
    const issues = () => get(`/v1/admin/bots/${channel.scene.botId}/issues`)
    await until(async () => JSON.stringify(await issues()).includes('has answered STOP'))
  })

  test('the bot writes first to a number', async () => {
    const act = (conversation: Json) =>
      channel.scene.call('POST', '/v1/chat/actions', {
        headers: channel.scene.asBot,
        body: { type: 'twilio:startConversation', input: { conversation } },
      })
    const spaced = await act({ userPhone: '+40 712 345-678' })
    const { conversations } = await get('/v1/chat/conversations?integrationName=twilio')
    expect(spaced.body.output.conversationId).toBe(conversations[0].id)
    for (const userPhone of ['0712345678', '+1', 'x', '+4071234567890123'])
      expect((await act({ userPhone })).status).toBe(400)
  })
})

test('a messaging service is the sender in both directions, and states find its messages', async () => {
  const { channel, twilio } = await openTwilioScene({ sender: service })
  await twilio.receive({ Body: 'by the service', MessagingServiceSid: service })
  const { scene } = channel
  const list = async () =>
    (
      await scene.call('GET', '/v1/chat/conversations?integrationName=twilio', {
        headers: scene.asBot,
      })
    ).body.conversations as Json[]
  const own = (await list()).find(({ tags }) => tags['twilio:activePhone'] === service)
  const body = {
    conversationId: own?.id,
    userId: scene.botId,
    type: 'text',
    payload: { text: 'answer' },
    tags: {},
  }
  await scene.call('POST', '/v1/chat/messages', { headers: scene.asBot, body })
  await until(() => twilio.messages.length === 1)
  expect(twilio.messages[0]).toMatchObject({
    MessagingServiceSid: service,
    Body: 'answer',
  })
  expect(twilio.messages[0]).not.toHaveProperty('From')
  const before = (await list()).length
  expect((await twilio.report('delivered')).status).toBe(200)
  expect(await list()).toHaveLength(before)
  await channel.close()
})

test('media are links where the configuration says so', async () => {
  const { channel, twilio } = await openTwilioScene({ sendMediaAs: 'link' })
  await channel.send('image', { imageUrl: 'https://example.org/a.png', title: 'A stone' })
  await until(() => twilio.messages.length === 1)
  expect(twilio.messages[0]).toMatchObject({ Body: 'A stone\nhttps://example.org/a.png' })
  await channel.close()
})

test.each<[Json, Partial<Pick<Twilio, 'status' | 'canSms'>>, string]>([
  [{ authToken: 'wrong' }, {}, 'does not accept the account SID and auth token'],
  [{ accountSID: `SK${'c'.repeat(32)}` }, {}, 'SK begins the one of an API key'],
  [{ sender: '+15005550999' }, {}, 'is no number of this Twilio account'],
  [{ sender: '0712345678' }, {}, 'no phone number with its country code'],
  [{ sender: 'MG1234' }, {}, 'is no messaging service of this Twilio account'],
  [{}, { status: 'suspended' }, 'the account is suspended'],
  [{}, { canSms: false }, 'cannot send SMS'],
])('explains a wrong set-up: %j, %j', async (more, state, words) => {
  const scene = await openScene()
  await scene.listen()
  const standIn = Object.assign(await openTwilio(more), state)
  await expect(installChannel(scene, 'twilio', standIn.configuration)).rejects.toThrow(
    words,
  )
  await scene.close()
  await standIn.close()
})

test('a removed installation no longer receives messages of the number', async () => {
  const { channel, twilio } = await openTwilioScene()
  expect(twilio.addresses[botPhone]).toContain('/webhooks/')
  const { scene } = channel
  const integrations = { twilio: null }
  const path = `/v1/admin/bots/${scene.botId}`
  await scene.call('PUT', path, { headers: scene.admin, body: { integrations } })
  await until(() => twilio.addresses[botPhone] === '')
  await channel.close()
})
