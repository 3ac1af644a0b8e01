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
import { destination, type Line, openLine, personId } from './line-stand-in.ts'
import type { Json } from './stand-in.ts'

describeChannel('line', openLine)

describe('line', () => {
  let channel: ChannelScene
  let line: Line
  beforeAll(async () => {
    channel = await openChannelScene('line', openLine)
    line = channel.standIn as Line
    await line.say('hello')
    await until(async () => (await channel.messages()).length === 1)
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
  /** Returns the bot's message as LINE got it. */
  const send = async (type: string, payload: Json): Promise<Json[]> => {
    const before = line.messages.length
    const { id } = await channel.send(type, payload)
    await untilSent(channel, id)
    return line.messages.slice(before)
  }
  const events = async (type: string) =>
    (await get(`/v1/chat/events?type=line:${type}`)).events as Json[]
  const sendings = () =>
    line.calls
      .filter(({ path }) => /message\/(push|reply)$/.test(path))
      .map(({ path }) => path.split('/').at(-1))

  test('rejects a request whose signature is missing or wrong, and stores nothing', async () => {
    const before = await channel.messages()
    const event = {
      type: 'message',
      source: { type: 'user', userId: personId },
      message: { id: '1', type: 'text', text: 'forged' },
    }
    for (const signature of [null, '', Buffer.alloc(32).toString('base64')])
      expect((await line.post({ destination, events: [event] }, signature)).status).toBe(
        401,
      )
    expect(await channel.messages()).toEqual(before)
  })

  test('takes the request that checks the address, and ignores events of unknown shape', async () => {
    const before = await channel.messages()
    for (const body of [
      { destination, events: [] },
      {},
      { events: [null, {}, { source: {} }] },
    ])
      expect((await line.post(body)).status).toBe(200)
    expect(await channel.messages()).toEqual(before)
  })

  test('the conversation and user have the tags of the official integration', async () => {
    const { conversations } = await get('/v1/chat/conversations?integrationName=line')
    expect(conversations[0].tags).toMatchObject({
      'line:usrId': personId,
      'line:destId': destination,
    })
    const first = (await channel.messages()).find(
      ({ direction }) => direction === 'incoming',
    )
    const { user } = await get(`/v1/chat/users/${first?.userId}`)
    expect(user).toMatchObject({ name: 'Ana', tags: { 'line:usrId': personId } })
  })

  test('replies with the token of a message once, and then pushes', async () => {
    const before = sendings().length
    await line.say('question')
    for (const text of ['one', 'two']) await send('text', { text })
    expect(sendings().slice(before)).toEqual(['reply', 'push'])
  })

  test('a reply whose answer is lost is not sent again', async () => {
    const before = sendings().length
    await line.say('a question')
    line.loseNext = true
    expect(await send('text', { text: 'the answer is lost' })).toHaveLength(1)
    expect(sendings().slice(before)).toEqual(['reply', 'reply'])
    await send('text', { text: 'the next one' })
    expect(sendings().slice(before)).toEqual(['reply', 'reply', 'push'])
  })

  test('pushes when the token of the reply is over', async () => {
    await added(() =>
      line.notify({
        type: 'message',
        message: line.toMessage({ id: '777', type: 'text', text: 'x' }),
        replyToken: 'over',
      }),
    )
    const [shown] = (await send('text', { text: 'late' })) as [Json]
    expect(shown.text).toBe('late')
    expect(sendings().slice(-2)).toEqual(['reply', 'push'])
  })

  test('takes several events of one request, in order', async () => {
    const toEvent = (text: string, i: number) => {
      const quoted = i === 1 ? { quotedMessageId: '900' } : {}
      const message = line.toMessage({ id: `90${i}`, type: 'text', text, ...quoted })
      return { type: 'message' as const, message }
    }
    const all = await added(() => line.notify(...['first', 'second'].map(toEvent)))
    expect(all.map(({ payload }) => payload.text)).toEqual(['first', 'second'])
    expect(all[1]?.payload.replyTo).toEqual({ id: '900' })
  })

  test('up to 13 short options are quick replies; others have numbers', async () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        label: `Option ${i + 1}`,
        value: `v${i + 1}`,
      }))
    const [few] = (await send('choice', { text: 'Which?', options: list(13) })) as [Json]
    expect(few.quickReply.items).toHaveLength(13)
    const [many] = (await send('choice', { text: 'Which?', options: list(14) })) as [Json]
    expect(many.text).toContain('14. Option 14')
    const [answer] = await added(() => line.say('14'))
    expect(answer?.payload).toMatchObject({ text: 'Option 14', value: 'v14' })
  })

  test('cards of a carousel are one message, and a pressed button has its value', async () => {
    const toCard = (title: string) => ({
      title,
      imageUrl: 'https://example.org/a.jpg',
      actions: [{ action: 'postback', label: `Take ${title}`, value: `take-${title}` }],
    })
    const sent = await send('carousel', { items: ['one', 'two'].map(toCard) })
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ altText: 'one, two', contents: { type: 'carousel' } })
    const [answer] = await added(() => line.press('Take two'))
    expect(answer?.payload).toMatchObject({ text: 'Take two', value: 'take-two' })
  })

  test('a picture whose address has no HTTPS is an issue that says why', async () => {
    await channel.send('image', { imageUrl: 'http://example.org/a.png' })
    const issues = () => get(`/v1/admin/bots/${channel.scene.botId}/issues`)
    await until(async () =>
      JSON.stringify(await issues()).includes('addresses with HTTPS'),
    )
  })

  test('receives locations, stickers and files that LINE no longer has', async () => {
    const place = { latitude: 35.6, longitude: 139.7, title: 'Shop', address: 'Street 1' }
    const all = await added(async () => {
      await line.receive({ type: 'location', ...place })
      await line.receive({
        type: 'sticker',
        packageId: '1',
        stickerId: '2',
        stickerResourceType: 'STATIC',
        keywords: ['happy'],
      })
      await line.receive({ type: 'file', id: '404', fileName: 'a.pdf', fileSize: 4 })
    })
    expect(all[0]).toMatchObject({ type: 'location', payload: place })
    expect(all[1]?.payload).toMatchObject({
      text: '[sticker: happy]',
      sticker: { stickerId: '2' },
    })
    expect(all[2]?.payload.text).toBe('[a.pdf: LINE did not give the file]')
  })

  test('deletions and new friends are events, once', async () => {
    await line.notify(
      { type: 'unsend', unsend: { messageId: '900' } },
      { type: 'follow', follow: { isUnblocked: false } },
    )
    await line.repeat()
    for (const type of ['messageDeleted', 'followed'])
      expect(await events(type)).toHaveLength(1)
    expect((await events('messageDeleted'))[0]?.payload).toMatchObject({
      messageTags: { msgId: '900' },
    })
    expect((await events('followed'))[0]?.payload).toMatchObject({
      destinationId: destination,
      userId: personId,
    })
  })

  test('a chat of a group is one conversation, also with several people', async () => {
    const toEvent = (userId: string) => ({
      type: 'message' as const,
      source: { type: 'group' as const, groupId: 'C1', userId },
      message: line.toMessage({ id: `g-${userId}`, type: 'text', text: userId }),
    })
    await line.notify(toEvent('U1'), toEvent('U2'))
    const { conversations } = await get('/v1/chat/conversations?integrationName=line')
    const groups = conversations.filter(({ tags }: Json) => tags['line:usrId'] === 'C1')
    expect(groups).toHaveLength(1)
    const { messages } = await get(`/v1/chat/messages?conversationId=${groups[0].id}`)
    expect(new Set(messages.map(({ userId }: Json) => userId)).size).toBe(2)
  })
})

test.each([
  [{ channelAccessToken: 'wrong' }, true, 'does not accept the channel access token'],
  [{}, false, 'switch on "Use webhook"'],
])('explains a wrong set-up: %j, %s', async (more, isActive, words) => {
  const scene = await openScene()
  await scene.listen()
  const standIn = await openLine(more)
  standIn.isActive = isActive
  await expect(installChannel(scene, 'line', standIn.configuration)).rejects.toThrow(
    words,
  )
  await scene.close()
  await standIn.close()
})
