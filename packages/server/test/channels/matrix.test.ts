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
import { botId, type Matrix, openMatrix, personId, roomId } from './matrix-stand-in.ts'
import type { Json } from './stand-in.ts'

async function openWithPast(): Promise<Matrix> {
  const matrix = await openMatrix()
  const content = { msgtype: 'm.text', body: 'from before the bot was connected' }
  await matrix.add({ type: 'm.room.message', content })
  return matrix
}

describeChannel('matrix', openMatrix)

describe('matrix', () => {
  let channel: ChannelScene
  let matrix: Matrix
  beforeAll(async () => {
    channel = await openChannelScene('matrix', openWithPast)
    matrix = channel.standIn as Matrix
    await matrix.say('hello')
    await until(async () => (await channel.messages()).length > 0)
  })
  afterAll(() => channel?.close())

  const get = async (path: string) => {
    const { scene } = channel
    return (
      await scene.call('GET', path, { headers: { ...scene.admin, ...scene.asBot } })
    ).body
  }
  const texts = async () => (await channel.messages()).map(({ payload }) => payload.text)
  let ends = 0
  /** Does something, and returns the messages that arrive until a last text. */
  const added = async (work: () => Promise<unknown>): Promise<Json[]> => {
    const before = new Set((await channel.messages()).map(({ id }) => id))
    await work()
    const end = `end ${++ends}`
    await matrix.say(end)
    await until(async () => (await texts()).includes(end))
    const all = (await channel.messages()).filter(({ id }) => !before.has(id))
    return all.filter(({ payload }) => payload.text !== end)
  }
  /** Returns the contents of the events of a message. */
  const send = async (type: string, payload: Json): Promise<Json[]> => {
    const before = matrix.sent.length
    const { id } = await channel.send(type, payload)
    await untilSent(channel, id)
    return matrix.sent.slice(before).map(({ content }) => content)
  }
  const events = async (type: string) =>
    (await get(`/v1/chat/events?type=matrix:${type}`)).events as Json[]
  const called = (path: string) => matrix.calls.filter((one) => one.path === path)
  const act = (type: string, input: Json) =>
    channel.scene.call('POST', '/v1/chat/actions', {
      headers: channel.scene.asBot,
      body: { type: `matrix:${type}`, input },
    })

  test('what people wrote before the bot was connected does not arrive', async () => {
    expect((await texts())[0]).toBe('hello')
  })

  test('conversation, user and message have the ids of Matrix', async () => {
    const { conversations } = await get('/v1/chat/conversations?integrationName=matrix')
    expect(conversations).toMatchObject([
      { channel: 'channel', tags: { 'matrix:id': roomId } },
    ])
    const [first] = (await channel.messages()) as [Json]
    expect(first.tags).toMatchObject({ 'matrix:id': expect.stringMatching(/^\$/) })
    const { user } = await get(`/v1/chat/users/${first.userId}`)
    expect(user).toMatchObject({ name: 'Ana', tags: { 'matrix:id': personId } })
  })

  test('what one answer does not hold is loaded, in order and without a double', async () => {
    const wanted = Array.from({ length: 75 }, (_, i) => `one of many ${i}`)
    // Added in one turn, so that one answer has the last of them.
    await added(() => Promise.all(wanted.map((text) => matrix.say(text))))
    const rows = await channel.scene.app.services.db
      .selectFrom('message')
      .select('payload')
      .where('direction', '=', 'incoming')
      .orderBy('number')
      .execute()
    const all = rows.map(({ payload }) => String((payload as Json).text))
    expect(all.filter((text) => text.startsWith('one of many'))).toEqual(wanted)
  })

  test('notices, and events without a known shape, are ignored', async () => {
    const all = await added(async () => {
      await matrix.receive({ msgtype: 'm.notice', body: 'from another bot' })
      await matrix.receive({})
      await matrix.receive({ msgtype: '__proto__', body: 7 })
      await matrix.add({ type: 'm.room.topic', content: { topic: 'x' } })
      await matrix.add({ type: 'm.room.message' })
    })
    expect(all).toEqual([])
  })

  test('says once in an encrypted room that it cannot read it', async () => {
    const room = '!secret:example.org'
    for (let i = 0; i < 2; i++)
      await added(() =>
        matrix.add({ type: 'm.room.encrypted', content: { ciphertext: 'x' }, room }),
      )
    const notices = matrix.sent.filter((one) => one.room === room)
    expect(notices).toMatchObject([{ content: { msgtype: 'm.notice' } }])
    const data = called(`user/${botId}/rooms/${room}/account_data/botstead.encryption`)
    expect(data.at(-1)).toMatchObject({ method: 'PUT', body: { isExplained: true } })
  })

  test('a repeated attempt is the same transaction, and the person sees one message', async () => {
    matrix.loseNext = true
    const before = matrix.sent.length
    const { id } = await channel.send('text', { text: 'the answer is lost' })
    await until(async () => {
      const message = (await channel.messages()).find((one) => one.id === id)
      return message?.tags['matrix:parts'] === '1'
    })
    expect(matrix.sent).toHaveLength(before + 1)
    expect(called(`rooms/${roomId}/send/m.room.message/${id}-0`)).toHaveLength(2)
  })

  test('replies, both ways', async () => {
    const original = await matrix.receive({ msgtype: 'm.text', body: 'the original' })
    const relation = { 'm.in_reply_to': { event_id: original } }
    const [reply] = await added(() =>
      matrix.receive({
        msgtype: 'm.text',
        body: '> <@ana:example.org> the original\n> more\n\nthe reply',
        'm.relates_to': relation,
      }),
    ).then((all) => all.filter(({ payload }) => payload.replyTo))
    expect(reply?.payload).toEqual({ text: 'the reply', replyTo: { id: original } })
    const [sent] = await send('text', { text: 'quoted', replyTo: { id: original } })
    expect(sent?.['m.relates_to']).toEqual(relation)
  })

  test('edits, deletions and reactions are events, once', async () => {
    const id = await matrix.receive({ msgtype: 'm.text', body: 'to be changed' })
    await added(async () => {
      await matrix.receive({
        body: '* changed',
        'm.new_content': { msgtype: 'm.text', body: 'changed' },
        'm.relates_to': { rel_type: 'm.replace', event_id: id },
      })
      const relation = { rel_type: 'm.annotation', event_id: id, key: '👍' }
      const reaction = await matrix.add({
        type: 'm.reaction',
        content: { 'm.relates_to': relation },
      })
      await matrix.add({ type: 'm.room.redaction', redacts: reaction, content: {} })
      await matrix.add({ type: 'm.room.redaction', content: { redacts: id } })
      await matrix.repeat()
    })
    const about = { messageTags: { id, roomId }, userTags: { id: personId } }
    const all = await Promise.all(
      ['messageEdited', 'reactionAdded', 'reactionRemoved', 'messageDeleted'].map(events),
    )
    expect(all.map((some) => some.map(({ payload }) => payload))).toMatchObject([
      [{ ...about, payload: { text: 'changed' } }],
      [{ ...about, reaction: '👍' }],
      [{ ...about, reaction: '👍' }],
      [about],
    ])
  })

  test('formatting is HTML beside a plain text, and nothing of the text becomes HTML', async () => {
    const markdown =
      '**Bold** <img src=x> & [a "link"](https://example.org/?a=1&b=2) [no](javascript:x)'
    const [sent] = (await send('text', { text: markdown })) as [Json]
    expect(sent.format).toBe('org.matrix.custom.html')
    expect(sent.formatted_body).toContain(
      '<strong>Bold</strong> &lt;img src=x&gt; &amp; ',
    )
    expect(sent.formatted_body).toContain(
      '<a href="https://example.org/?a=1&amp;b=2">a "link"</a>',
    )
    expect(sent.formatted_body).not.toContain('href="javascript')
    expect(await send('text', { text: 'plain' })).toEqual([
      { msgtype: 'm.text', body: 'plain' },
    ])
  })

  test('files of this server are uploaded, and others that cannot be loaded are links', async () => {
    await matrix.sendPicture(Buffer.from('picture'), 'look')
    await until(async () => (await texts()).includes('look'))
    const image = (await channel.messages()).findLast(({ type }) => type === 'image')
    const imageUrl = image?.payload.imageUrl
    const [sent] = (await send('image', { imageUrl, title: 'again' })) as [Json]
    expect(sent).toMatchObject({ msgtype: 'm.image', body: 'again', filename: 'a.png' })
    expect(matrix.shown().at(-1)?.media).toEqual({ kind: 'image', bytes: 7 })
    const lost = `${matrix.url}/none.pdf`
    expect(await send('file', { fileUrl: lost, title: 'Menu' })).toEqual([
      { msgtype: 'm.text', body: `Menu\n${lost}` },
    ])
  })

  test('locations arrive, and a file that the homeserver does not give is a text', async () => {
    const all = await added(async () => {
      await matrix.receive({
        msgtype: 'm.location',
        body: 'Shop',
        geo_uri: 'geo:44.4,26.1;u=35',
      })
      await matrix.receive({
        msgtype: 'm.file',
        body: 'a.pdf',
        url: 'mxc://example.org/none',
      })
      await matrix.receive({
        msgtype: 'm.file',
        body: 'b.pdf',
        url: 'https://example.org/b.pdf',
      })
    })
    expect(all[0]).toMatchObject({
      type: 'location',
      payload: { latitude: 44.4, longitude: 26.1 },
    })
    expect(all[1]?.payload.text).toBe('[a.pdf: the homeserver did not give the file]')
    expect(all[2]?.payload.text).toBe('[b.pdf: the homeserver did not give the file]')
  })

  test('shows that the bot has read, and notes what people have read', async () => {
    const id = await matrix.receive({ msgtype: 'm.text', body: 'read this' })
    await until(() => called(`rooms/${roomId}/receipt/m.read/${id}`).length > 0)
    await send('text', { text: 'and this' })
    matrix.read(id)
    const last = (await channel.messages()).at(-1)
    const person = (await channel.messages()).find(
      ({ direction }) => direction === 'incoming',
    )
    await until(async () => {
      const row = await channel.scene.app.services.db
        .selectFrom('participant')
        .select('read_until')
        .where('user_id', '=', person?.userId)
        .where('conversation_id', '=', last?.conversationId)
        .executeTakeFirst()
      return row?.read_until?.toISOString() === last?.createdAt
    })
  })

  test('actions type, react, edit and delete', async () => {
    await send('text', { text: 'first version' })
    const { id, conversationId, tags } = (await channel.messages()).at(-1)!
    const eventId = tags['matrix:id']
    for (const [type, typing] of [
      ['start', true],
      ['stop', false],
    ] as const) {
      await act(`${type}TypingIndicator`, { conversationId })
      const last = called(`rooms/${roomId}/typing/${botId}`).at(-1)
      expect(last?.body.typing).toBe(typing)
    }
    await act('addReaction', { messageId: id, reaction: '👀' })
    expect(matrix.sent.at(-1)).toMatchObject({
      type: 'm.reaction',
      content: { 'm.relates_to': { event_id: eventId, key: '👀' } },
    })
    await act('updateMessage', { messageId: id, text: '**second** version' })
    expect(matrix.sent.at(-1)?.content).toMatchObject({
      'm.new_content': { body: 'second version' },
      'm.relates_to': { rel_type: 'm.replace', event_id: eventId },
    })
    await act('deleteMessage', { messageId: id })
    expect(matrix.calls.at(-1)?.path).toContain(`rooms/${roomId}/redact/${eventId}/`)
    expect((await act('deleteMessage', { messageId: 'msg_other' })).status).toBe(400)
  })

  // The last ones: other tests read the latest conversation.
  test('joins a room after an invitation, and reads later messages', async () => {
    const room = '!new:example.org'
    matrix.invite(room)
    await until(() => called(`join/${room}`).length > 0)
    const type = 'm.room.message'
    const toText = (body: string) => ({
      type,
      content: { msgtype: 'm.text', body },
      room,
    })
    const content = { membership: 'join' }
    const joined = {
      type: 'm.room.member',
      sender: botId,
      state_key: botId,
      content,
      room,
    }
    const events = [toText('before the bot'), joined, toText('welcome')]
    await Promise.all(events.map((event) => matrix.add(event)))
    await until(async () => (await texts()).includes('welcome'))
    expect(await texts()).toEqual(['welcome'])
  })

  test('a thread is a separate conversation, both ways', async () => {
    const root = await matrix.receive({ msgtype: 'm.text', body: 'a question' })
    const relation = { rel_type: 'm.thread', event_id: root, is_falling_back: true }
    const inThread = {
      'm.relates_to': { ...relation, 'm.in_reply_to': { event_id: root } },
    }
    const body = 'in the thread'
    const id = await matrix.receive({ msgtype: 'm.text', body, ...inThread })
    const list = async (path: string) => get(`/v1/chat/${path}`)
    const find = async () =>
      (await list('messages')).messages.find(({ payload }: Json) => payload.text === body)
    await until(async () => (await find()) !== undefined)
    const { conversationId, payload, userId } = await find()
    expect(payload).toEqual({ text: body })
    const { conversation } = await list(`conversations/${conversationId}`)
    expect(conversation).toMatchObject({
      channel: 'thread',
      tags: { 'matrix:id': roomId, 'matrix:thread': root },
    })
    const { scene } = channel
    const post = async (more: Json) => {
      const sent = { conversationId, userId: scene.botId, type: 'text', tags: {} }
      const message = { ...sent, payload: more }
      const options = { headers: scene.asBot, body: message }
      const reply = await scene.call('POST', '/v1/chat/messages', options)
      await untilSent(channel, reply.body.message.id)
      return reply.body.message
    }
    const long = Array.from(
      { length: 300 },
      (_, i) => `This is sentence number ${i}.`,
    ).join(' ')
    const before = matrix.sent.length
    await post({ text: long })
    const relations = matrix.sent
      .slice(before)
      .map(({ content }) => content['m.relates_to'])
    expect(relations.length).toBeGreaterThan(1)
    for (const one of relations) expect(one).toEqual(inThread['m.relates_to'])
    const answer = await post({ text: 'to this', replyTo: { id } })
    expect(matrix.sent.at(-1)?.content['m.relates_to']).toEqual({
      ...relation,
      is_falling_back: false,
      'm.in_reply_to': { event_id: id },
    })
    const edit = { rel_type: 'm.replace', event_id: id }
    await matrix.receive({ 'm.new_content': { body: 'changed' }, 'm.relates_to': edit })
    const annotation = { rel_type: 'm.annotation', event_id: id, key: '🎉' }
    await matrix.add({ type: 'm.reaction', content: { 'm.relates_to': annotation } })
    const inConversation = async (type: string) =>
      (await list(`events?type=matrix:${type}&conversationId=${conversationId}`)).events
    await until(async () => (await inConversation('reactionAdded')).length === 1)
    expect(await inConversation('messageEdited')).toMatchObject([{ conversationId }])
    matrix.read(matrix.sent.at(-1)!.event_id, root)
    await until(async () => {
      const row = await scene.app.services.db
        .selectFrom('participant')
        .select('read_until')
        .where('user_id', '=', userId)
        .where('conversation_id', '=', conversationId)
        .executeTakeFirst()
      return row?.read_until?.toISOString() === answer.createdAt
    })
  })
})

test.each<[Json, Partial<Pick<Matrix, 'base'>>, string]>([
  [{ accessToken: 'wrong' }, {}, 'does not accept the access token'],
  [
    {},
    { base: 'https://matrix.example.org' },
    'Its homeserver is "https://matrix.example.org"',
  ],
  [{ homeserver: 'http://127.0.0.1:1' }, {}, '127.0.0.1:1'],
])('explains a wrong set-up: %j, %j', async (more, state, words) => {
  const scene = await openScene()
  await scene.listen()
  const standIn = Object.assign(await openMatrix(more), state)
  await expect(installChannel(scene, 'matrix', standIn.configuration)).rejects.toThrow(
    words,
  )
  await scene.close()
  await standIn.close()
})
