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
import {
  dmName,
  type GoogleChat,
  openGoogleChat,
  personName,
  projectNumber,
  type Signing,
} from './googlechat-stand-in.ts'
import type { Json } from './stand-in.ts'

describeChannel('googlechat', openGoogleChat)

const forgeries: Record<string, Signing> = {
  'without a token': { authorization: null },
  'with a token that is none': { authorization: 'Bearer a.b.c' },
  'of another key': { isOtherKey: true },
  'of another issuer': { claims: { iss: 'https://accounts.google.com' } },
  'for another project': { claims: { aud: '999' } },
  'that has expired': { expiresAt: '-10m' },
}

describe('googlechat', () => {
  let channel: ChannelScene
  let chat: GoogleChat
  beforeAll(async () => {
    channel = await openChannelScene('googlechat', openGoogleChat)
    chat = channel.standIn as GoogleChat
    await chat.say('hello')
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
  /** Returns the bot's message as Google Chat got it. */
  const send = async (type: string, payload: Json): Promise<Json[]> => {
    const before = chat.messages.length
    const { id } = await channel.send(type, payload)
    await untilSent(channel, id)
    return chat.messages.slice(before)
  }
  const events = async (type: string) =>
    (await get(`/v1/chat/events?type=googlechat:${type}`)).events as Json[]
  const conversations = async () =>
    (await get('/v1/chat/conversations?integrationName=googlechat'))
      .conversations as Json[]

  test.each(Object.entries(forgeries))(
    'rejects a request %s, and stores nothing',
    async (_, signing) => {
      const before = await channel.messages()
      const message = { name: `${dmName}/messages/x`, text: 'forged' }
      const event = { ...chat.event('MESSAGE'), message }
      expect((await chat.post(event, signing)).status).toBe(401)
      expect(await channel.messages()).toEqual(before)
    },
  )

  test('ignores events of unknown shape', async () => {
    const before = await channel.messages()
    for (const event of [
      {},
      { type: 'MESSAGE', message: null },
      { ...chat.event('MESSAGE'), message: { name: 'x', attachment: [null] } },
      { ...chat.event('CARD_CLICKED'), action: { parameters: [null] } },
      {
        ...chat.event('MESSAGE'),
        user: { name: 'users/2', type: 'BOT' },
        message: { text: 'x' },
      },
    ])
      expect(await (await chat.post(event)).json()).toEqual({})
    expect(await channel.messages()).toEqual(before)
  })

  test('conversation and user have the names of Google Chat', async () => {
    expect((await conversations())[0]?.tags).toMatchObject({
      'googlechat:id': dmName,
      'googlechat:spaceType': 'DIRECT_MESSAGE',
    })
    const first = (await channel.messages()).find(
      ({ direction }) => direction === 'incoming',
    )
    const { user } = await get(`/v1/chat/users/${first?.userId}`)
    expect(user).toMatchObject({
      name: 'Ana',
      tags: { 'googlechat:id': personName, 'googlechat:email': 'ana@example.org' },
    })
  })

  test('a message whose answer was lost is shown once', async () => {
    chat.losesAnswer = true
    const sent = await send('text', { text: 'only once' })
    expect(sent.map(({ text }) => text)).toEqual(['only once'])
    const creations = chat.calls.filter(({ body }) => body.text === 'only once')
    expect(creations.length).toBeGreaterThan(1)
    expect(new Set(creations.map(({ path }) => path)).size).toBe(1)
  })

  test('formatting is that of Google Chat, and a text mentions no person', async () => {
    const text = '**bold**, [a link](https://example.org) and <users/all>'
    const [sent] = (await send('text', { text })) as [Json]
    expect(sent.text).toBe('*bold*, <https://example.org|a link> and <\u200busers/all>')
  })

  test('few options are buttons, more are a menu, and others have numbers', async () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        label: `Option ${i + 1}`,
        value: `v${i + 1}`,
      }))
    for (const [type, count, widget] of [
      ['choice', 20, 'buttonList'],
      ['choice', 21, 'selectionInput'],
      ['dropdown', 2, 'selectionInput'],
    ] as const) {
      const [sent] = (await send(type, { text: 'Which?', options: list(count) })) as [
        Json,
      ]
      expect(sent.cardsV2[0].card.sections[0].widgets[0]).toHaveProperty(widget)
      const [answer] = await added(() => chat.press('Option 2'))
      expect(answer?.payload).toMatchObject({ text: 'Option 2', value: 'v2' })
    }
    const [many] = (await send('choice', { text: 'Which?', options: list(101) })) as [
      Json,
    ]
    expect(many.text).toContain('101. Option 101')
    const [answer] = await added(() => chat.say('101'))
    expect(answer?.payload).toMatchObject({ text: 'Option 101', value: 'v101' })
  })

  test('a press that arrives again is stored once, another press is not', async () => {
    const options = [{ label: 'Again', value: 'again' }]
    await send('choice', { text: 'Press', options })
    const pressed = await added(async () => {
      await chat.press('Again')
      await chat.repeat()
      await chat.press('Again')
    })
    expect(pressed.map(({ payload }) => payload.value)).toEqual(['again', 'again'])
  })

  test('each card of a carousel is a message, and a pressed button has its value', async () => {
    const toCard = (title: string) => ({
      title,
      subtitle: 'a < b',
      imageUrl: 'https://example.org/a.jpg',
      actions: [{ action: 'postback', label: `Take ${title}`, value: `take-${title}` }],
    })
    const sent = await send('carousel', { items: ['one', 'two'].map(toCard) })
    const texts = sent.map(({ cardsV2 }) => cardsV2[0].card.sections[0].widgets[1])
    expect(texts[1]).toEqual({ textParagraph: { text: '<b>two</b><br>a &lt; b' } })
    const [answer] = await added(() => chat.press('Take two'))
    expect(answer?.payload).toMatchObject({ text: 'Take two', value: 'take-two' })
  })

  test('sends pictures as cards, and other files as links', async () => {
    const imageUrl = 'https://example.org/a.png'
    const [image, caption] = (await send('image', { imageUrl, caption: 'Look' })) as [
      Json,
      Json,
    ]
    expect(image.cardsV2[0].card.sections[0].widgets[0].image.imageUrl).toBe(imageUrl)
    expect(caption.text).toBe('Look')
    const [plain] = (await send('image', { imageUrl: 'http://example.org/a.png' })) as [
      Json,
    ]
    expect(plain.text).toBe('<http://example.org/a.png|a.png>')
    const fileUrl = 'https://example.org/plan.pdf'
    const [file] = (await send('file', { fileUrl, title: 'The plan' })) as [Json]
    expect(file.text).toBe('<https://example.org/plan.pdf|The plan>')
  })

  test('files of Google Drive are links, and files that are not given are a text', async () => {
    const attachment = [
      { contentName: 'plan', source: 'DRIVE_FILE', driveDataRef: { driveFileId: 'd/1' } },
      { contentName: 'gone.png', attachmentDataRef: { resourceName: 'gone' } },
    ]
    const all = await added(() => chat.receive({ attachment }))
    expect(all[0]?.payload.fileUrl).toBe('https://drive.google.com/open?id=d%2F1')
    expect(all[1]?.payload.text).toBe('[gone.png: Google Chat did not give it]')
  })

  test('being added and removed are events, stored once', async () => {
    for (const [type, name] of [
      ['ADDED_TO_SPACE', 'botAdded'],
      ['REMOVED_FROM_SPACE', 'botRemoved'],
    ] as const) {
      await chat.post(chat.event(type))
      await chat.repeat()
      const found = await events(name)
      expect(found).toHaveLength(1)
      expect(found[0]?.payload).toMatchObject({ space: dmName })
    }
  })

  // The last one: the others read the newest conversation.
  test('each thread of a space is a conversation, and answers go to it', async () => {
    const space = {
      name: 'spaces/S1',
      type: 'ROOM',
      spaceThreadingState: 'THREADED_MESSAGES',
    }
    for (const thread of ['A', 'B'])
      await chat.receive(
        {
          text: '@Bot hi',
          argumentText: ' hi',
          thread: { name: `spaces/S1/threads/${thread}` },
        },
        { space },
      )
    const found = (await conversations()).filter(
      ({ tags }) => tags['googlechat:space'] === 'spaces/S1',
    )
    const ids = found.map(({ tags }) => tags['googlechat:id']).toSorted()
    expect(ids).toEqual(['spaces/S1/threads/A', 'spaces/S1/threads/B'])
    const { id: conversationId } = found.find(({ tags }) =>
      tags['googlechat:id'].endsWith('A'),
    )!
    const { messages } = await get(`/v1/chat/messages?conversationId=${conversationId}`)
    expect(messages[0].payload.text).toBe('hi')
    const { scene } = channel
    const payload = { text: 'in the thread' }
    const body = { conversationId, userId: scene.botId, type: 'text', payload, tags: {} }
    await scene.call('POST', '/v1/chat/messages', { headers: scene.asBot, body })
    await until(() => chat.messages.at(-1)?.text === 'in the thread')
    expect(chat.messages.at(-1)).toMatchObject({
      thread: { name: 'spaces/S1/threads/A' },
      space: { name: 'spaces/S1' },
    })
    expect(chat.calls.at(-1)?.path).toContain('REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
  })
})

test('accepts tokens for an address only from the account of Google Chat', async () => {
  const audience = 'https://bot.example.org/hook'
  const channel = await openChannelScene('googlechat', () => openGoogleChat({ audience }))
  const chat = channel.standIn as GoogleChat
  const iss = 'https://accounts.google.com'
  const right = {
    iss,
    aud: audience,
    email: 'chat@system.gserviceaccount.com',
    email_verified: true,
  }
  const message = { name: `${dmName}/messages/1`, text: 'hello' }
  const event = { ...chat.event('MESSAGE'), message }
  for (const wrong of [
    { email: 'mallory@example.org' },
    { email_verified: false },
    { aud: projectNumber },
    { iss: 'chat@system.gserviceaccount.com' },
  ])
    expect((await chat.post(event, { claims: { ...right, ...wrong } })).status).toBe(401)
  expect(await channel.messages()).toEqual([])
  expect((await chat.post(event, { claims: right })).status).toBe(200)
  expect(await channel.messages()).toHaveLength(1)
  await channel.close()
})

type Wrong = (chat: GoogleChat) => Json | Promise<Json>

const tokenUrl = ({ configuration }: GoogleChat) => `${configuration.apiUrl}/token`
const wrongs: [string, Wrong][] = [
  ['is not the JSON file', () => ({ serviceAccountKey: '-----BEGIN PRIVATE KEY-----' })],
  ['of another kind', () => ({ serviceAccountKey: '{"web":{"client_id":"1"}}' })],
  [
    'is damaged',
    () => ({
      serviceAccountKey: '{"client_email":"a@b.iam","private_key":"-----BEGIN"}',
    }),
  ],
  [
    'was deleted',
    async (chat) => ({ serviceAccountKey: await chat.writeKey(tokenUrl(chat), true) }),
  ],
  [
    'switch it on',
    (chat) => {
      chat.state = 'off'
      return {}
    },
  ],
  [
    'The Chat app is not configured',
    (chat) => {
      chat.state = 'unconfigured'
      return {}
    },
  ],
]

test('explains wrong set-ups', async () => {
  const scene = await openScene()
  await scene.listen()
  for (const [words, make] of wrongs) {
    const chat = await openGoogleChat()
    const configuration = { ...chat.configuration, ...(await make(chat)) }
    await expect(installChannel(scene, 'googlechat', configuration)).rejects.toThrow(
      words,
    )
    await chat.close()
  }
  await scene.close()
})
