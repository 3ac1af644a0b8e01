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
import { openWhatsApp, person, phoneId, type WhatsApp } from './whatsapp-stand-in.ts'

describeChannel('whatsapp', openWhatsApp)

/** The host is that of a request without a socket. */
const toPath = (url: string) => new URL(url).pathname + new URL(url).search

describe('whatsapp', () => {
  let channel: ChannelScene
  let whatsapp: WhatsApp
  beforeAll(async () => {
    channel = await openChannelScene('whatsapp', openWhatsApp)
    whatsapp = channel.standIn as WhatsApp
    await whatsapp.say('hello')
    await until(async () => (await channel.messages()).length === 1)
  })
  afterAll(() => channel?.close())

  const get = async (path: string) => {
    const { scene } = channel
    return (
      await scene.call('GET', path, { headers: { ...scene.admin, ...scene.asBot } })
    ).body
  }
  /** Returns what the bot's message became at WhatsApp. */
  const send = async (type: string, payload: Json): Promise<Json[]> => {
    const before = whatsapp.messages.length
    const { id } = await channel.send(type, payload)
    await untilSent(channel, id)
    return whatsapp.messages.slice(before)
  }
  /** Returns the messages that are stored meanwhile. */
  const added = async (work: () => Promise<unknown>): Promise<Json[]> => {
    const before = new Set((await channel.messages()).map(({ id }) => id))
    await work()
    return (await channel.messages()).filter(({ id }) => !before.has(id))
  }
  /** The person sends messages in one notification, which arrive. */
  const receive = async (...contents: Json[]): Promise<Json[]> => {
    return added(() => whatsapp.receive(...contents))
  }
  const events = async (type: string) =>
    (await get(`/v1/chat/events?type=whatsapp:${type}`)).events as Json[]
  const callAction = async (type: string, input: Json) => {
    const { scene } = channel
    const body = { type: `whatsapp:${type}`, input }
    return scene.call('POST', '/v1/chat/actions', { headers: scene.asBot, body })
  }

  test('answers the question of Meta only with the right verify token', async () => {
    const question = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444' }
    const right = await whatsapp.ask({
      ...question,
      'hub.verify_token': 'stand-in-verify-token',
    })
    expect([right.status, await right.text()]).toEqual([200, '1158201444'])
    for (const token of ['wrong', '', 'stand-in-verify-toke'])
      expect(
        (await whatsapp.ask({ ...question, 'hub.verify_token': token })).status,
      ).toBe(401)
    const page = {
      ...question,
      'hub.challenge': '<script>',
      'hub.verify_token': 'stand-in-verify-token',
    }
    expect((await whatsapp.ask(page)).status).toBe(400)
  })

  test('rejects a notification whose signature is missing or wrong, and stores nothing', async () => {
    const before = await channel.messages()
    const message = {
      from: person.wa_id,
      id: 'wamid.forged',
      type: 'text',
      text: { body: 'forged' },
    }
    const value = {
      metadata: { phone_number_id: phoneId },
      contacts: [person],
      messages: [message],
    }
    const notification = { entry: [{ changes: [{ field: 'messages', value }] }] }
    for (const signature of [null, '', 'sha256=', `sha256=${'0'.repeat(64)}`])
      expect((await whatsapp.notify(notification, signature)).status).toBe(401)
    expect(await channel.messages()).toEqual(before)
  })

  test('takes several messages of one notification, in order', async () => {
    const texts = ['first', 'second', 'third']
    const all = await receive(...texts.map((body) => ({ type: 'text', text: { body } })))
    expect(all.map(({ payload }) => payload.text)).toEqual(texts)
  })

  test('ignores events of unknown shape', async () => {
    const before = await channel.messages()
    for (const body of [
      {},
      { entry: [null, 1, { changes: [null, { field: 'messages' }] }] },
      { entry: {} },
    ])
      expect((await whatsapp.notify(body)).status).toBe(200)
    expect(await channel.messages()).toEqual(before)
  })

  test('the conversation and user have the tags of the official integration', async () => {
    const { conversations } = await get('/v1/chat/conversations?integrationName=whatsapp')
    expect(conversations[0].tags).toEqual({
      'whatsapp:botPhoneNumberId': phoneId,
      'whatsapp:userPhone': '+16505551234',
    })
    const first = (await channel.messages()).find(
      ({ direction }) => direction === 'incoming',
    )
    const { user } = await get(`/v1/chat/users/${first?.userId}`)
    expect(user).toMatchObject({
      name: 'Ana Pop',
      tags: { 'whatsapp:userId': '16505551234' },
    })
  })

  test('formats texts as WhatsApp does', async () => {
    const text = 'a **bold** _word_, ~~gone~~, `code` and [a link](https://example.org)'
    const [{ text: shown }] = (await send('text', { text })) as [Json]
    expect(shown.body).toBe(
      'a *bold* _word_, ~gone~, `code` and a link (https://example.org)',
    )
  })

  test('divides a text whose marks make it longer than the limit', async () => {
    const text = '**a** '.repeat(1_500).trim()
    const parts = await send('markdown', { markdown: text })
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.map((one) => one.text.body).join(' ')).toBe('*a* '.repeat(1_500).trim())
  })

  const label = (i: number) => ({ label: `Option ${i}`, value: `v${i}` })
  const list = (count: number) => Array.from({ length: count }, (_, i) => label(i + 1))

  test('shows up to 3 options as buttons, up to 10 as a list, and more by numbers', async () => {
    const kinds = []
    for (const count of [3, 4, 10, 11]) {
      const [one] = await send('choice', { text: 'Which?', options: list(count) })
      kinds.push(one?.interactive?.type ?? 'text')
    }
    expect(kinds).toEqual(['button', 'list', 'list', 'text'])
    const [answer] = await receive({ type: 'text', text: { body: '11' } })
    expect(answer?.payload).toMatchObject({ text: 'Option 11', value: 'v11' })
  })

  test('a label over the limit of buttons is whole in a list, and its row has its value', async () => {
    const long = 'With cheese, olives and a second sauce'
    const options = [{ label: long, value: 'cheese' }, label(2)]
    const [one] = (await send('choice', { text: 'Which?', options })) as [Json]
    const [row] = one.interactive.action.sections[0].rows
    expect(row.description).toBe(long)
    const reply = { type: 'list_reply', list_reply: { id: row.id, title: row.title } }
    const [answer] = await receive({ type: 'interactive', interactive: reply })
    expect(answer?.payload).toMatchObject({ text: long, value: 'cheese' })
  })

  test('equal labels, which WhatsApp rejects as buttons, are shown', async () => {
    const options = [label(1), label(1)]
    const [one] = (await send('choice', { text: 'Which?', options })) as [Json]
    expect(one.interactive.type).toBe('list')
  })

  test('the buttons of a long question are below its last part', async () => {
    const text = 'This is a sentence. '.repeat(80).trim()
    const parts = await send('choice', { text, options: list(2) })
    expect(parts.at(-1)?.interactive.type).toBe('button')
    const all = parts.map((one) => one.text?.body ?? one.interactive.body.text)
    expect(all.join(' ')).toBe(text)
  })

  test('a card with a picture and one link has a button that opens it', async () => {
    const actions = [{ action: 'url', label: 'Open', value: 'https://example.org/stone' }]
    const card = { title: 'Stone', imageUrl: 'https://example.org/stone.jpg', actions }
    const [one] = (await send('card', card)) as [Json]
    expect(one.interactive).toMatchObject({
      type: 'cta_url',
      header: { type: 'image', image: { link: 'https://example.org/stone.jpg' } },
      action: { parameters: { display_text: 'Open', url: 'https://example.org/stone' } },
    })
  })

  test('each card of a carousel has its own buttons, with its values', async () => {
    const toCard = (name: string) => ({
      title: name,
      actions: [{ action: 'postback', label: `Take ${name}`, value: `take-${name}` }],
    })
    await send('carousel', { items: ['one', 'two'].map(toCard) })
    const [answer] = await added(() => whatsapp.press('Take two'))
    expect(answer?.payload).toMatchObject({ text: 'Take two', value: 'take-two' })
  })

  test('sends files of this server by upload, and others by their address', async () => {
    const { scene } = channel
    const file = {
      key: 'menu.pdf',
      size: 4,
      contentType: 'application/pdf',
      accessPolicies: ['public_content'],
    }
    const { body } = await scene.call('PUT', '/v1/files', {
      headers: scene.asBot,
      body: file,
    })
    await fetch(new URL(toPath(body.file.uploadUrl), scene.app.address.api), {
      method: 'PUT',
      body: '%PDF',
      headers: { 'content-type': 'application/pdf' },
    })
    const fileUrl = new URL(toPath(body.file.url), scene.app.address.api).href
    const [own] = (await send('file', { fileUrl, title: 'Our menu' })) as [Json]
    expect(own.document).toEqual({
      id: `media${whatsapp.uploads.length}`,
      filename: 'Our menu.pdf',
    })
    expect(whatsapp.uploads.at(-1)).toMatchObject({
      file: { bytes: 4 },
      type: 'application/pdf',
    })
    const imageUrl = 'https://example.org/a.png'
    const [other] = (await send('image', { imageUrl, title: 'A picture' })) as [Json]
    expect(other.image).toEqual({ link: imageUrl, caption: 'A picture' })
  })

  test('sends a location, and receives one', async () => {
    const place = { latitude: 44.4, longitude: 26.1, title: 'Shop', address: 'Street 1' }
    const [one] = (await send('location', place)) as [Json]
    expect(one.location).toEqual({
      latitude: 44.4,
      longitude: 26.1,
      name: 'Shop',
      address: 'Street 1',
    })
    const location = {
      latitude: 44.4,
      longitude: 26.1,
      name: 'Shop',
      address: 'Street 1',
    }
    const [arrived] = await receive({ type: 'location', location })
    expect(arrived).toMatchObject({ type: 'location', payload: place })
  })

  test('receives voice notes, documents, stickers, contacts and replies', async () => {
    const id = whatsapp.addFile(Buffer.from('bytes'))
    const contact = { name: { formatted_name: 'Bo' }, phones: [{ phone: '+40 712' }] }
    const all = await receive(
      { type: 'audio', audio: { id, mime_type: 'audio/ogg; codecs=opus', voice: true } },
      {
        type: 'document',
        document: { id, filename: 'a.pdf', mime_type: 'application/pdf' },
      },
      { type: 'sticker', sticker: { id, mime_type: 'image/webp' } },
      { type: 'contacts', contacts: [contact] },
      { type: 'text', text: { body: 'yes' }, context: { from: '1', id: 'wamid.before' } },
    )
    expect(all.map(({ type }) => type)).toEqual([
      'audio',
      'file',
      'image',
      'text',
      'text',
    ])
    expect(all[0]?.payload.isVoice).toBe(true)
    expect(all[1]?.payload).toMatchObject({ title: 'a.pdf', filename: 'a.pdf' })
    expect(all[3]?.payload).toMatchObject({
      text: 'Bo, +40 712',
      contact: { name: 'Bo' },
    })
    expect(all[4]).toMatchObject({
      payload: { replyTo: { id: 'wamid.before' } },
      tags: { 'whatsapp:replyTo': 'wamid.before' },
    })
  })

  test('a file that WhatsApp no longer has is a text that says so', async () => {
    const [message] = (await receive({
      type: 'image',
      image: { id: '404', caption: 'see' },
    })) as [Json]
    expect(message.payload.text).toContain('did not give the file')
  })

  test('answers a message as a reply to it', async () => {
    const [one] = (await send('text', { text: 'yes', replyTo: { id: 'wamid.in1' } })) as [
      Json,
    ]
    expect(one.context).toEqual({ message_id: 'wamid.in1' })
  })

  test('reactions, edits and deletions are events, once', async () => {
    await whatsapp.receive(
      { type: 'reaction', reaction: { message_id: 'wamid.in1', emoji: '👍' } },
      { type: 'reaction', reaction: { message_id: 'wamid.in1' } },
      {
        type: 'edit',
        edit: {
          original_message_id: 'wamid.in1',
          message: { type: 'text', text: { body: 'hello!' } },
        },
      },
      { type: 'revoke', revoke: { original_message_id: 'wamid.in1' } },
    )
    await whatsapp.repeat()
    for (const type of [
      'reactionAdded',
      'reactionRemoved',
      'messageEdited',
      'messageDeleted',
    ])
      expect(await events(type)).toHaveLength(1)
    const messageTags = { id: 'wamid.in1' }
    expect((await events('reactionAdded'))[0]?.payload).toMatchObject({
      messageTags,
      reaction: '👍',
    })
    expect((await events('reactionRemoved'))[0]?.payload).toMatchObject({ messageTags })
    expect((await events('messageEdited'))[0]?.payload).toMatchObject({
      messageTags,
      payload: { text: 'hello!' },
    })
    expect((await events('messageDeleted'))[0]?.payload).toMatchObject({ messageTags })
  })

  test('delivered and read are receipts, and a late failure says what to do', async () => {
    const [sent] = (await send('text', { text: 'seen?' })) as [Json]
    for (const status of ['sent', 'delivered', 'read'])
      await whatsapp.status({ id: sent.id, status })
    const first = (await channel.messages()).find(
      ({ direction }) => direction === 'incoming',
    )
    const reached = await channel.scene.app.services.db
      .selectFrom('participant')
      .select(['delivered_until', 'read_until'])
      .where('user_id', '=', first?.userId)
      .executeTakeFirstOrThrow()
    const last = (await channel.messages()).at(-1)
    expect(reached.read_until?.toISOString()).toBe(last?.createdAt)
    expect(reached.delivered_until).toEqual(reached.read_until)
    const errors = [
      { code: 131047, title: 'Re-engagement message', message: 'Re-engagement message' },
    ]
    await whatsapp.status({ id: sent.id, status: 'failed', errors })
    const [event] = (await events('messageFailed')) as [Json]
    expect(event.payload.error).toContain('`startConversation`')
    const period = 'timeStart=2020-01-01T00:00:00Z&timeEnd=2100-01-01T00:00:00Z'
    const logs = await get(`/v1/admin/bots/${channel.scene.botId}/logs?${period}`)
    expect(JSON.stringify(logs)).toContain(
      'was not delivered: The person last wrote more than 24 hours ago',
    )
  })

  test('outside of the 24 hours, the issue names the action that sends a template', async () => {
    whatsapp.failNext('rejected')
    await channel.send('text', { text: 'too late' })
    const issues = () => get(`/v1/admin/bots/${channel.scene.botId}/issues`)
    await until(async () => (await issues()).issues.length > 0)
    expect(JSON.stringify(await issues())).toContain('startConversation')
  })

  test('a broadcast reports rejections at once and late ones per recipient', async () => {
    const { scene } = channel
    const platform = async (method: 'GET' | 'POST', path: string, body?: Json) => {
      const options = { headers: scene.asBot, ...(body && { body }) }
      return (await scene.call(method, `/v1/platform/broadcasts${path}`, options)).body
    }
    const send = async () => {
      const audience = { integration: 'whatsapp', channel: 'channel' }
      const message = { type: 'text', payload: { text: 'News' } }
      const { broadcast } = await platform('POST', '', {
        name: 'News',
        audience,
        message,
      })
      const state = async () =>
        (await platform('GET', `/${broadcast.id}`)).broadcast.state
      await until(async () => (await state()) === 'done')
      return async () => (await platform('GET', `/${broadcast.id}/recipients`)).recipients
    }
    const late = {
      state: 'failed',
      reason: 'not_delivered',
      detail: expect.stringContaining('more than 24 hours ago'),
    }
    whatsapp.failNext('rejected')
    expect(await (await send())()).toMatchObject([late])
    const recipients = await send()
    expect(await recipients()).toMatchObject([{ state: 'sent' }])
    const errors = [{ code: 131047, title: 'Re-engagement message', message: '' }]
    await whatsapp.status({ id: whatsapp.messages.at(-1)?.id, status: 'failed', errors })
    expect(await recipients()).toMatchObject([late])
  })

  test('begins a conversation with a template, and stores what the person sees', async () => {
    const conversation = {
      userPhone: '+1 (650) 555-1234',
      templateName: 'order_ready',
      templateVariablesJson: '["Ana", 12]',
    }
    const { body } = await callAction('startConversation', { conversation })
    const messages = await channel.messages()
    expect(body.output.conversationId).toBe(messages[0]?.conversationId)
    expect(messages.at(-1)).toMatchObject({
      direction: 'outgoing',
      payload: { text: 'Hello Ana, your order 12 is ready.' },
      tags: { 'whatsapp:id': whatsapp.messages.at(-1)?.id },
    })
    expect(whatsapp.messages.at(-1)?.template).toEqual({
      name: 'order_ready',
      language: { code: 'en' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: '12' },
          ],
        },
      ],
    })
  })

  test.each([
    [{ userPhone: '0712', templateName: 't' }, 'country code'],
    [
      { userPhone: '+16505551234', templateName: 't', templateVariablesJson: '[{}]' },
      'JSON array',
    ],
    [
      { userPhone: '+16505551234', templateName: 't', templateVariablesJson: '{' },
      'JSON array',
    ],
  ])('rejects the template %j', async (conversation, words) => {
    const before = whatsapp.messages.length
    const { status, body } = await callAction('startConversation', { conversation })
    expect(status).toBe(400)
    expect(body.message).toContain(words)
    expect(whatsapp.messages.length).toBe(before)
  })

  test('lists templates', async () => {
    const { body } = await callAction('listTemplates', { status: 'APPROVED' })
    expect(body.output.templates[0].name).toBe('order_ready')
  })

  test('shows messages as read, and typing below the last one', async () => {
    const [message] = (await receive({
      type: 'text',
      text: { body: 'are you there' },
    })) as [Json]
    const messageId = message.tags['whatsapp:id']
    const reads = () => whatsapp.calls.filter(({ body }) => body.message_id === messageId)
    await until(() => reads().length === 1)
    const { conversationId, id } = message
    await callAction('startTypingIndicator', { conversationId, messageId: id })
    expect(reads()[1]?.body).toMatchObject({
      status: 'read',
      typing_indicator: { type: 'text' },
    })
  })

  test('a person without a phone number has an id, and is answered by it', async () => {
    const user_id = 'US.13491208655302741918'
    const contacts = [{ user_id, profile: { name: 'Bo', username: 'bo' } }]
    const message = {
      from_user_id: user_id,
      id: 'wamid.bsuid',
      type: 'text',
      text: { body: 'hi' },
    }
    await whatsapp.change({ contacts, messages: [message] })
    const { conversations } = await get('/v1/chat/conversations?integrationName=whatsapp')
    const found = conversations.find(
      ({ tags }: Json) => tags['whatsapp:userId'] === user_id,
    )
    expect(found.tags['whatsapp:userPhone']).toBeUndefined()
    const { scene } = channel
    const body = {
      conversationId: found.id,
      userId: scene.botId,
      type: 'text',
      payload: { text: 'hi Bo' },
      tags: {},
    }
    await scene.call('POST', '/v1/chat/messages', { headers: scene.asBot, body })
    const sent = () => whatsapp.calls.find(({ body: one }) => one.text?.body === 'hi Bo')
    await until(() => sent() !== undefined)
    expect(sent()?.body).toMatchObject({ recipient: user_id })
    expect(sent()?.body.to).toBeUndefined()
  })
})

test.each([
  ['accessToken', 'EAAG-wrong', 'does not accept the access token'],
  ['clientSecret', 'wrong', 'app secret is not of the app'],
  ['defaultBotPhoneNumberId', '1', 'does not find the phone number ID'],
  ['businessAccountId', '2', 'does not find the business account ID "2"'],
])('explains a wrong %s', async (name, value, words) => {
  const scene = await openScene()
  await scene.listen()
  const standIn = await openWhatsApp({ [name]: value })
  const installed = installChannel(scene, 'whatsapp', standIn.configuration)
  const failure = await installed.catch((error: Error) => error)
  expect(String(failure)).toContain(words)
  expect(String(failure)).not.toContain('EAAG-wrong')
  await scene.close()
  await standIn.close()
})
