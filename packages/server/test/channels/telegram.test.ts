import type { MessageEntity, MessageReactionUpdated, Update } from '@grammyjs/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChannelScene, describeChannel, openChannelScene, until } from './cases.ts'
import type { Json } from './stand-in.ts'
import { chat, openTelegram, person, type Telegram } from './telegram-stand-in.ts'

const toEdit = (text: string) => ({
  edited_message: {
    message_id: 1,
    from: person,
    chat,
    date: 1_700_000_000,
    edit_date: 1_700_000_060,
    text,
  },
})

const openWebhook = async () => {
  const standIn = await openTelegram({ token: '220201543:webhook' })
  standIn.configuration.receiveBy = 'webhook'
  return standIn
}

describe('by a connection of this server', () =>
  describeChannel('telegram', openTelegram))
describe('by its webhook', () => describeChannel('telegram', openWebhook))

describe('of Telegram only', () => {
  let channel: ChannelScene
  let telegram: Telegram
  beforeAll(async () => {
    telegram = await openTelegram()
    channel = await openChannelScene('telegram', async () => telegram)
    await telegram.say('begin')
    await until(async () => (await channel.messages()).length > 0)
  })
  afterAll(() => channel?.close())

  async function last(matches: (message: Json) => boolean): Promise<Json> {
    await until(async () => matches((await channel.messages()).at(-1)!))
    return (await channel.messages()).at(-1)!
  }

  async function events(type: string): Promise<Json[]> {
    const path = `/v1/chat/events?type=${encodeURIComponent(`telegram:${type}`)}`
    const { body } = await channel.scene.call('GET', path, {
      headers: channel.scene.asBot,
    })
    return body.events
  }

  test('the language of the app is a tag of the user', async () => {
    await telegram.receive({ text: 'oi', from: { ...person, language_code: 'pt-br' } })
    await last(({ payload }) => payload.text === 'oi')
    const path = `/v1/chat/users?tags${encodeURIComponent('[telegram:language]')}=pt-br`
    const { body } = await channel.scene.call('GET', path, {
      headers: channel.scene.asBot,
    })
    expect(body.users).toHaveLength(1)
  })

  test('formatting arrives as Markdown, and leaves as entities', async () => {
    const entities: MessageEntity[] = [
      { type: 'bold', offset: 0, length: 4 },
      { type: 'text_link', offset: 9, length: 4, url: 'https://example.org' },
    ]
    await telegram.receive({ text: 'bold and link', entities })
    const message = await last(({ payload }) => /link/.test(payload.text))
    expect(message.payload.text).toBe('**bold** and [link](https://example.org)')
    await channel.send('text', {
      text: '👍 **bold** `code`\n\n1. one\n2. [two](https://example.org)',
    })
    await until(() => telegram.shown().length > 0)
    expect(
      telegram.calls.findLast(({ method }) => method === 'sendMessage')?.parameters,
    ).toMatchObject({
      text: '👍 bold code\n\n1. one\n2. two',
      entities: [
        { type: 'bold', offset: 3, length: 4 },
        { type: 'code', offset: 8, length: 4 },
        { type: 'text_link', offset: 24, length: 3, url: 'https://example.org' },
      ],
    })
  })

  test('voice notes, files and stickers arrive as files of this server', async () => {
    const file = (name: string) => {
      const file_id = telegram.addFile(Buffer.from(name))
      return { file_id, file_unique_id: `u${file_id}` }
    }
    await telegram.receive({
      voice: { ...file('voice'), duration: 3, mime_type: 'audio/ogg' },
    })
    expect(await last(({ type }) => type === 'audio')).toMatchObject({
      payload: { isVoice: true },
    })
    const document = {
      ...file('document'),
      file_name: 'price list.pdf',
      mime_type: 'application/pdf',
    }
    await telegram.receive({ document })
    const { payload } = await last(({ type }) => type === 'file')
    expect(payload.title).toBe('price list.pdf')
    const reply = await fetch(payload.fileUrl)
    expect([reply.headers.get('content-type'), await reply.text()]).toEqual([
      'application/pdf',
      'document',
    ])
    const picture = { type: 'regular' as const, width: 512, height: 512, is_video: false }
    await telegram.receive({
      sticker: { ...picture, ...file('sticker'), is_animated: false },
    })
    expect((await last(({ type }) => type === 'image')).payload.isSticker).toBe(true)
    const moving = { ...picture, is_animated: true, emoji: '🎉' }
    await telegram.receive({ sticker: { ...moving, ...file('moves') } })
    expect((await last(({ payload }) => payload.text === '🎉')).type).toBe('text')
  })

  test('a file that is too large for bots is named instead', async () => {
    await telegram.receive({
      document: { file_id: 'none', file_unique_id: 'n', file_name: 'film.mkv' },
    })
    await last(({ payload }) => /film\.mkv/.test(payload.text ?? ''))
  })

  test('places, contacts and quoted replies arrive with their parts', async () => {
    await telegram.receive({ location: { latitude: 1.5, longitude: -2 } })
    expect((await last(({ type }) => type === 'location')).payload).toEqual({
      latitude: 1.5,
      longitude: -2,
    })
    await telegram.receive({
      contact: { phone_number: '+491701234567', first_name: 'Bo' },
    })
    const contact = await last(({ payload }) => payload.contact !== undefined)
    expect(contact.payload).toEqual({
      text: 'Bo, +491701234567',
      contact: { name: 'Bo', phone: '+491701234567' },
    })
    const quoted = { message_id: 1, date: 1_700_000_000, chat, text: 'begin' }
    // Of a quoted message, Telegram does not say what it quotes.
    const reply_to_message = { ...quoted, reply_to_message: undefined }
    await telegram.receive({ text: 'yes', reply_to_message })
    const reply = await last(({ payload }) => payload.text === 'yes')
    expect(reply.payload.replyTo).toEqual({ id: '1', text: 'begin' })
  })

  test('edits and reactions are events', async () => {
    await telegram.update(toEdit('begun'))
    await until(async () => (await events('messageEdited')).length === 1)
    expect((await events('messageEdited'))[0]!.payload).toMatchObject({
      messageTags: { id: '1', chatId: '7001' },
      payload: { text: 'begun' },
    })
    const reaction: MessageReactionUpdated = {
      chat,
      message_id: 1,
      user: person,
      date: 1_700_000_060,
      old_reaction: [],
      new_reaction: [{ type: 'emoji', emoji: '👍' }],
    }
    await telegram.update({ message_reaction: reaction })
    await until(async () => (await events('reactionAdded')).length === 1)
    expect((await events('reactionAdded'))[0]!.payload.reaction).toBe('👍')
  })

  test('a file of this server is uploaded, because Telegram may not reach it', async () => {
    await telegram.sendPicture(Buffer.from('twelve bytes'), '')
    const { payload } = await last(({ type }) => type === 'image')
    await channel.send('image', { imageUrl: payload.imageUrl })
    await until(() => telegram.shown().at(-1)?.media?.kind === 'image')
    expect(telegram.shown().at(-1)!.media).toEqual({ kind: 'image', bytes: 12 })
    await channel.send('file', { fileUrl: 'https://example.org/a.pdf', title: 'A' })
    await until(() => telegram.shown().at(-1)?.media?.kind === 'file')
    expect(telegram.shown().at(-1)!.media!.url).toBe('https://example.org/a.pdf')
  })

  test('a carousel that fails in the middle continues there', async () => {
    const card = (title: string) => ({
      title,
      actions: [{ action: 'say', label: `Take ${title}`, value: title }],
    })
    const before = telegram.shown().length
    await channel.send('carousel', { items: ['a', 'b', 'c'].map(card) })
    await until(() => telegram.shown().length === before + 3)
    telegram.failNext('unavailable')
    await channel.send('carousel', { items: ['d', 'e'].map(card) })
    await until(() => telegram.shown().length === before + 5)
    expect(
      telegram
        .shown()
        .slice(before)
        .map(({ text }) => text),
    ).toEqual(['a', 'b', 'c', 'd', 'e'])
    await telegram.press('Take b')
    expect((await last(({ payload }) => payload.value === 'b')).payload.text).toBe(
      'Take b',
    )
  })

  test('typing is shown in the chat', async () => {
    const { conversationId } = (await channel.messages())[0]!
    const body = { type: 'telegram:startTypingIndicator', input: { conversationId } }
    const reply = await channel.scene.call('POST', '/v1/chat/actions', {
      headers: channel.scene.asBot,
      body,
    })
    expect(reply.status).toBe(200)
    expect(reply.body.output).toEqual({})
    expect(telegram.calls.map(({ method }) => method)).toContain('sendChatAction')
  })

  test('a bot begins a conversation with a chat whose id it knows', async () => {
    const body = { channel: 'channel', tags: { 'telegram:id': '7001' } }
    const { headers } = { headers: channel.scene.asBot }
    const reply = await channel.scene.call('POST', '/v1/chat/conversations', {
      headers,
      body: { ...body, integrationName: 'telegram' },
    })
    expect(reply.body.conversation?.tags?.['telegram:id']).toBe('7001')
  })
})

test('a request with a wrong secret is rejected, and stores nothing', async () => {
  const standIn = await openWebhook()
  const channel = await openChannelScene('telegram', async () => standIn)
  try {
    const { url } = standIn.webhook!
    const message = {
      message_id: 1,
      date: 1_700_000_000,
      from: person,
      chat,
      text: 'forged',
    }
    const update: Update = { update_id: 1, message }
    const wrong: Record<string, string>[] = [
      {},
      { 'x-telegram-bot-api-secret-token': 'wrong' },
    ]
    for (const headers of wrong) {
      const reply = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(update),
      })
      expect(reply.status).toBe(401)
    }
    expect(await channel.messages()).toEqual([])
  } finally {
    await channel.close()
  }
})

test('what the webhook brings again is an event once, and what a person does again another one', async () => {
  const standIn = await openWebhook()
  const channel = await openChannelScene('telegram', async () => standIn)
  try {
    const edit = toEdit('changed')
    await standIn.update(edit)
    await standIn.repeat()
    await standIn.update(edit)
    const path = '/v1/chat/events?type=telegram:messageEdited'
    const { body } = await channel.scene.call('GET', path, {
      headers: channel.scene.asBot,
    })
    expect(body.events).toHaveLength(2)
  } finally {
    await channel.close()
  }
})
