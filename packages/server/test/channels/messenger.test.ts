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
import { openInstagram, openMessenger, type Page, personId } from './page-stand-in.ts'
import type { Json } from './stand-in.ts'

const providers = [
  { name: 'messenger', open: openMessenger, account: 'pageId' },
  { name: 'instagram', open: openInstagram, account: 'instagramId' },
]

describe.each(providers)('$name', ({ name, open }) => {
  describeChannel(name, open)
})

describe.each(providers)('$name in particular', ({ name, open }) => {
  let channel: ChannelScene
  let page: Page
  beforeAll(async () => {
    channel = await openChannelScene(name, open)
    page = channel.standIn as Page
    await page.say('hello')
    await until(async () => (await channel.messages()).length === 1)
  })
  afterAll(() => channel?.close())

  const get = async (path: string) => {
    const { scene } = channel
    return (
      await scene.call('GET', path, { headers: { ...scene.admin, ...scene.asBot } })
    ).body
  }
  /** Returns the bot's message as the provider got it. */
  const send = async (type: string, payload: Json): Promise<Json[]> => {
    const before = page.messages.length
    const { id } = await channel.send(type, payload)
    await untilSent(channel, id)
    return page.messages.slice(before)
  }
  /** Returns the messages that are stored meanwhile. */
  const added = async (work: () => Promise<unknown>): Promise<Json[]> => {
    const before = new Set((await channel.messages()).map(({ id }) => id))
    await work()
    return (await channel.messages()).filter(({ id }) => !before.has(id))
  }
  const receive = async (...contents: Json[]): Promise<Json[]> => {
    return added(() => page.receive(...contents))
  }
  const events = async (type: string) =>
    (await get(`/v1/chat/events?type=${name}:${type}`)).events as Json[]

  test('answers the question of Meta only with the right verify token', async () => {
    const question = { 'hub.mode': 'subscribe', 'hub.challenge': '42' }
    const right = await page.ask({
      ...question,
      'hub.verify_token': 'stand-in-verify-token',
    })
    expect([right.status, await right.text()]).toEqual([200, '42'])
    expect((await page.ask({ ...question, 'hub.verify_token': 'wrong' })).status).toBe(
      401,
    )
  })

  test('rejects a notification whose signature is missing or wrong, and stores nothing', async () => {
    const before = await channel.messages()
    const ids = { sender: { id: personId }, recipient: { id: '1' } }
    const messaging = [{ ...ids, message: { mid: 'forged', text: 'forged' } }]
    for (const signature of [null, '', `sha256=${'0'.repeat(64)}`])
      expect((await page.notify({ entry: [{ messaging }] }, signature)).status).toBe(401)
    expect(await channel.messages()).toEqual(before)
  })

  test('takes several messages of one notification, and not the echo of a message of the bot', async () => {
    const all = await receive(
      { message: { mid: 'a1', text: 'first' } },
      { message: { mid: 'a2', text: 'an echo', is_echo: true } },
      { message: { mid: 'a3', text: 'second', reply_to: { mid: 'a1' } } },
    )
    expect(all.map(({ payload }) => payload.text)).toEqual(['first', 'second'])
    expect(all[1]?.payload.replyTo).toEqual({ id: 'a1' })
  })

  test('ignores events of unknown shape', async () => {
    const before = await channel.messages()
    for (const body of [{}, { entry: [null, { messaging: [null, {}, { sender: {} }] }] }])
      expect((await page.notify(body)).status).toBe(200)
    expect(await channel.messages()).toEqual(before)
  })

  test('up to 13 short options are quick replies; others have numbers', async () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        label: `Option ${i + 1}`,
        value: `v${i + 1}`,
      }))
    const [few] = (await send('choice', { text: 'Which?', options: list(13) })) as [Json]
    expect(few.message.quick_replies).toHaveLength(13)
    const [many] = (await send('choice', { text: 'Which?', options: list(14) })) as [Json]
    expect(many.message.text).toContain('14. Option 14')
    const [answer] = await receive({ message: { mid: 'n14', text: '14' } })
    expect(answer?.payload).toMatchObject({ text: 'Option 14', value: 'v14' })
  })

  test('cards of a carousel are one message, and a pressed button has its value', async () => {
    const toCard = (title: string) => ({
      title,
      subtitle: 'a **good** one',
      imageUrl: 'https://example.org/a.jpg',
      actions: [{ action: 'postback', label: `Take ${title}`, value: `take-${title}` }],
    })
    const sent = await send('carousel', { items: ['one', 'two'].map(toCard) })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.message.attachment.payload.elements[1].subtitle).toBe('a good one')
    const [answer] = await added(() => page.press('Take two'))
    expect(answer?.payload).toMatchObject({ text: 'Take two', value: 'take-two' })
  })

  test('a card that does not fit is text with its numbers', async () => {
    const actions = ['a', 'b', 'c', 'd'].map((label) => ({
      action: 'say',
      label,
      value: `v-${label}`,
    }))
    const [shown] = (await send('card', { title: 'Four', actions })) as [Json]
    expect(shown.message.text).toContain('4. d')
    const [answer] = await receive({ message: { mid: 'four', text: '4' } })
    expect(answer?.payload).toMatchObject({ text: 'd', value: 'v-d' })
  })

  test('sends pictures by their address, and a location as a link', async () => {
    const imageUrl = 'https://example.org/a.png'
    const [image, below] = (await send('image', { imageUrl, title: 'A picture' })) as [
      Json,
      Json,
    ]
    expect(image.message.attachment).toMatchObject({
      type: 'image',
      payload: { url: imageUrl },
    })
    expect(below.message.text).toBe('A picture')
    const [place] = (await send('location', { latitude: 1.5, longitude: 2 })) as [Json]
    expect(place.message.text).toContain('1.5,2')
  })

  test('a carousel of more cards than anyone reads is an issue that says so', async () => {
    const items = Array.from({ length: 101 }, (_, i) => ({ title: `${i}`, actions: [] }))
    await channel.send('carousel', { items })
    const issues = () => get(`/v1/admin/bots/${channel.scene.botId}/issues`)
    await until(async () =>
      JSON.stringify(await issues()).includes('A carousel has at most'),
    )
  })

  test('a file that Meta no longer has is a text that says so', async () => {
    const url = `${page.configuration.apiUrl}/files/404`
    const message = { mid: 'gone', attachments: [{ type: 'file', payload: { url } }] }
    const [arrived] = (await receive({ message })) as [Json]
    expect(arrived.payload.text).toContain('did not give the file')
  })

  test('reactions, edits and deletions are events, once', async () => {
    await page.receive(
      { reaction: { mid: 'a1', action: 'react', emoji: '❤' } },
      { reaction: { mid: 'a1', action: 'unreact', emoji: '❤' } },
      { message_edit: { mid: 'a1', text: 'first!' } },
      { message: { mid: 'a1', is_deleted: true } },
    )
    await page.repeat()
    for (const type of [
      'reactionAdded',
      'reactionRemoved',
      'messageEdited',
      'messageDeleted',
    ])
      expect(await events(type)).toHaveLength(1)
    const messageTags = { id: 'a1' }
    expect((await events('reactionAdded'))[0]?.payload).toMatchObject({
      messageTags,
      reaction: '❤',
    })
    expect((await events('reactionRemoved'))[0]?.payload).toMatchObject({ messageTags })
    expect((await events('messageEdited'))[0]?.payload).toMatchObject({
      payload: { text: 'first!' },
    })
    expect((await events('messageDeleted'))[0]?.payload).toMatchObject({ messageTags })
  })

  test('a read watermark reaches the last message before it', async () => {
    await send('text', { text: 'seen?' })
    const first = (await channel.messages()).find(
      ({ direction }) => direction === 'incoming',
    )
    const last = (await channel.messages()).at(-1)
    await page.receive({ read: { watermark: Date.parse(last?.createdAt) + 1 } })
    const reached = await channel.scene.app.services.db
      .selectFrom('participant')
      .select('read_until')
      .where('user_id', '=', first?.userId)
      .executeTakeFirstOrThrow()
    expect(reached.read_until?.toISOString()).toBe(last?.createdAt)
  })

  test('outside of the 24 hours, the issue says what to do', async () => {
    page.failNext('rejected')
    await channel.send('text', { text: 'too late' })
    const issues = () => get(`/v1/admin/bots/${channel.scene.botId}/issues`)
    await until(async () =>
      JSON.stringify(await issues()).includes('set the message tag in the configuration'),
    )
  })
})

test('Messenger gets a file of this server by upload', async () => {
  const channel = await openChannelScene('messenger', openMessenger)
  const page = channel.standIn as Page
  await page.sendPicture(Buffer.from('not really a picture'), 'Look')
  await until(async () => (await channel.messages()).length === 2)
  const [{ payload }] = (await channel.messages()) as [Json]
  await channel.send('image', { imageUrl: payload.imageUrl })
  await until(() => page.messages.length === 1)
  const [sent] = page.messages
  expect(sent?.filedata.bytes).toBe(20)
  expect(sent?.message.attachment).toEqual({
    type: 'image',
    payload: { is_reusable: false },
  })
  await channel.close()
})

test('a configured tag is used only outside of the 24 hours', async () => {
  const channel = await openChannelScene('messenger', () =>
    openMessenger({ messageTag: 'HUMAN_AGENT' }),
  )
  const page = channel.standIn as Page
  await page.say('hello')
  await until(async () => (await channel.messages()).length === 1)
  await channel.send('text', { text: 'soon' })
  await until(() => page.messages.length === 1)
  page.failNext('rejected')
  await channel.send('text', { text: 'late' })
  await until(() => page.messages.length === 2)
  expect(page.messages.map(({ messaging_type, tag }) => [messaging_type, tag])).toEqual([
    ['RESPONSE', undefined],
    ['MESSAGE_TAG', 'HUMAN_AGENT'],
  ])
  await channel.close()
})

test.each([
  ['messenger', openMessenger, 'accessToken', 'does not accept the access token'],
  ['messenger', openMessenger, 'clientSecret', 'app secret is not of the app'],
  ['messenger', openMessenger, 'pageId', 'does not find the account'],
  ['instagram', openInstagram, 'accessToken', 'does not accept the access token'],
  ['instagram', openInstagram, 'instagramId', 'does not find the account'],
] as const)('%s explains a wrong configuration: %#', async (name, open, field, words) => {
  const scene = await openScene()
  await scene.listen()
  const standIn = await open({ [field]: '1' })
  await expect(installChannel(scene, name, standIn.configuration)).rejects.toThrow(words)
  await scene.close()
  await standIn.close()
})
