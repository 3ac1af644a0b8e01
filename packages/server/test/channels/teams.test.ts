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
  appId,
  conversationId,
  openTeams,
  personId,
  type Signing,
  type Teams,
  tenantId,
} from './teams-stand-in.ts'

describeChannel('teams', openTeams)

describe('teams', () => {
  let channel: ChannelScene
  let teams: Teams
  beforeAll(async () => {
    channel = await openChannelScene('teams', openTeams)
    teams = channel.standIn as Teams
    await teams.say('hello')
    await until(async () => (await channel.messages()).length === 1)
  })
  afterAll(() => channel?.close())

  const get = async (path: string) => {
    const { scene } = channel
    return (
      await scene.call('GET', path, { headers: { ...scene.admin, ...scene.asBot } })
    ).body
  }
  const post = async (path: string, body: Json) => {
    const { scene } = channel
    return scene.call('POST', path, { headers: { ...scene.admin, ...scene.asBot }, body })
  }
  const added = async (work: () => Promise<unknown>): Promise<Json[]> => {
    const before = new Set((await channel.messages()).map(({ id }) => id))
    await work()
    return (await channel.messages()).filter(({ id }) => !before.has(id))
  }
  /** Returns the bot's message as Teams got it. */
  const send = async (type: string, payload: Json): Promise<Json[]> => {
    const before = teams.messages.length
    const { id } = await channel.send(type, payload)
    await untilSent(channel, id)
    return teams.messages.slice(before)
  }
  const events = async (type: string) =>
    (await get(`/v1/chat/events?type=teams:${type}`)).events as Json[]
  const findConversation = async () =>
    (await get('/v1/chat/conversations?integrationName=teams')).conversations.find(
      ({ tags }: Json) => tags['teams:id'] === conversationId,
    )

  const forgeries: Record<string, Signing> = {
    'without a token': { authorization: null },
    'with an empty token': { authorization: 'Bearer ' },
    'with a token that is none': { authorization: 'Bearer a.b.c' },
    'without a signature': {
      authorization: `Bearer ${btoa('{"alg":"none"}')}.${btoa(`{"aud":"${appId}"}`)}.`,
    },
    'of another key': { isOtherKey: true },
    'of an unknown key': { kid: 'unknown' },
    'of another issuer': { claims: { iss: 'https://sts.windows.net/x/' } },
    'for another app': { claims: { aud: 'other' } },
    'for another address of the service': {
      claims: { serviceurl: 'https://evil.example/' },
    },
    'for no address of the service': { claims: { serviceurl: null } },
    'that has expired': { expiresAt: '-10m' },
  }
  test.each(Object.entries(forgeries))(
    'rejects a request %s, and stores nothing',
    async (_, signing) => {
      const before = await channel.messages()
      const activity = teams.complete({ type: 'message', id: 'forged', text: 'forged' })
      expect((await teams.post(activity, signing)).status).toBe(401)
      expect(await channel.messages()).toEqual(before)
    },
  )

  test('rejects a request of a channel that its key does not endorse', async () => {
    const activity = teams.complete({
      type: 'message',
      id: 'x',
      text: 'x',
      channelId: 'other',
    })
    expect((await teams.post(activity)).status).toBe(401)
  })

  test('ignores activities of unknown shape', async () => {
    const before = await channel.messages()
    const shapes = [
      { type: 'message' },
      { type: 'message', id: '1', conversation: null },
      { type: 'message', id: '2', text: 7, attachments: 'x', entities: [null] },
      { type: '__proto__', id: '3' },
    ]
    for (const shape of shapes)
      expect((await teams.post(teams.complete(shape))).status).toBe(200)
    expect(await channel.messages()).toEqual(before)
    const answer = await teams.post(
      teams.complete({ type: 'invoke', name: 'x', id: '4' }),
    )
    expect(await answer.json()).toEqual({})
  })

  test('conversation, message and user have the tags of the official integration', async () => {
    expect((await findConversation()).tags).toMatchObject({
      'teams:id': conversationId,
      'teams:tenantId': tenantId,
    })
    const first = (await channel.messages()).find(
      ({ direction }) => direction === 'incoming',
    )
    expect(first?.tags['teams:id']).toBeTruthy()
    const { user } = await get(`/v1/chat/users/${first?.userId}`)
    expect(user).toMatchObject({
      name: 'Ana Lima',
      tags: { 'teams:id': personId, 'teams:email': 'ana@example.org' },
    })
  })

  test('a mention of the bot is left out, one of another person has the name', async () => {
    const entities = [
      {
        type: 'mention',
        text: '<at>Bot</at>',
        mentioned: { id: `28:${appId}`, name: 'Bot' },
      },
      {
        type: 'mention',
        text: '<at>Bo</at>',
        mentioned: { id: '29:bo', name: 'Bo $& Li' },
      },
    ]
    const text = '<at>Bot</at> ask <at>Bo</at> please'
    const [message] = await added(() => teams.receive({ text, entities }))
    expect(message?.payload.text).toBe('ask @Bo $& Li please')
  })

  test('formatting is written as Markdown, other characters stay what they are', async () => {
    const [bold] = (await send('text', { text: '**bold**, _italic_ and `a_b <c>`' })) as [
      Json,
    ]
    expect(bold).toMatchObject({
      textFormat: 'markdown',
      text: '**bold**, _italic_ and `a_b <c>`',
    })
    const [plain] = (await send('text', {
      text: '2 \\* 3 < 4\nnext\n\nhttps://example.org/a_b_c',
    })) as [Json]
    expect(plain.text).toBe('2 \\* 3 &lt; 4  \nnext\n\nhttps://example.org/a_b_c')
  })

  test('six short options are buttons, more are a menu, and its choice has its value', async () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        label: `Option ${i + 1}`,
        value: `v${i + 1}`,
      }))
    const [few] = (await send('choice', { text: 'Which?', options: list(6) })) as [Json]
    expect(few.attachments[0].content.buttons).toHaveLength(6)
    for (const [type, count] of [
      ['choice', 7],
      ['dropdown', 2],
    ] as const) {
      const [menu] = (await send(type, { text: 'Which?', options: list(count) })) as [
        Json,
      ]
      expect(menu.attachments[0].content.body[0].choices).toHaveLength(count)
      const [answer] = await added(() => teams.press('Option 2'))
      expect(answer?.payload).toMatchObject({ text: 'Option 2', value: 'v2' })
    }
    const [many] = (await send('choice', { text: 'Which?', options: list(201) })) as [
      Json,
    ]
    expect(many.text).toContain('201. Option 201')
    const [answer] = await added(() => teams.say('201'))
    expect(answer?.payload).toMatchObject({ text: 'Option 201', value: 'v201' })
  })

  test('cards of a carousel are one message, and a pressed button has its value', async () => {
    const toCard = (title: string) => ({
      title,
      imageUrl: 'https://example.org/a.jpg',
      actions: [{ action: 'postback', label: `Take ${title}`, value: `take-${title}` }],
    })
    const sent = await send('carousel', { items: ['one', 'two'].map(toCard) })
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ attachmentLayout: 'carousel', attachments: [{}, {}] })
    const [answer] = await added(() => teams.press('Take two'))
    expect(answer?.payload).toMatchObject({ text: 'Take two', value: 'take-two' })
  })

  test('sends pictures, files and places', async () => {
    const [image, caption] = (await send('image', {
      imageUrl: 'https://example.org/a.png',
      caption: 'Look',
    })) as [Json, Json]
    expect(image.attachments[0]).toMatchObject({
      contentUrl: 'https://example.org/a.png',
    })
    expect(caption.text).toBe('Look')
    const fileUrl = 'https://example.org/a_b (1).pdf'
    const [file] = (await send('file', { fileUrl, title: 'The_plan' })) as [Json]
    expect(file.text).toBe('[The\\_plan](https://example.org/a_b%20%281%29.pdf)')
    const [place] = (await send('location', { latitude: 1.5, longitude: 2.5 })) as [Json]
    expect(place.text).toContain('query=1.5,2.5')
  })

  test('receives files, without the token for other servers', async () => {
    const downloadUrl = teams.addFile(Buffer.from('a plan'))
    const other = downloadUrl.replace('127.0.0.1', 'localhost')
    const toFile = (url: string, uniqueId: string) => ({
      contentType: 'application/vnd.microsoft.teams.file.download.info',
      name: 'plan.png',
      content: { downloadUrl: url, uniqueId, fileType: 'png' },
    })
    const attachments = [toFile(downloadUrl, 'u1'), toFile(other, 'u2'), null]
    const all = await added(() => teams.receive({ text: 'The plans', attachments }))
    expect(all.map(({ type }) => type)).toEqual(['image', 'text', 'text'])
    expect(await (await fetch(all[0]?.payload.imageUrl)).text()).toBe('a plan')
    expect(all[1]?.payload.text).toBe('[plan.png: Teams did not give it]')
  })

  test('edits, deletions, reactions and installations are events, stored once', async () => {
    const about = { messageTags: { id: '77', conversationId } }
    const cases: [string, Json, Json][] = [
      [
        'messageEdited',
        { type: 'messageUpdate', text: 'new' },
        { payload: { text: 'new' } },
      ],
      ['messageDeleted', { type: 'messageDelete' }, {}],
      [
        'reactionAdded',
        { type: 'messageReaction', replyToId: '77', reactionsAdded: [{ type: 'like' }] },
        { reaction: 'like' },
      ],
      [
        'reactionRemoved',
        {
          type: 'messageReaction',
          replyToId: '77',
          reactionsRemoved: [{ type: 'heart' }],
        },
        { reaction: 'heart' },
      ],
    ]
    for (const [type, activity, payload] of cases) {
      await teams.post(teams.complete({ id: '77', ...activity }))
      await teams.repeat()
      const found = await events(type)
      expect(found).toHaveLength(1)
      expect(found[0]?.payload).toMatchObject({ ...about, ...payload })
    }
    await teams.post(
      teams.complete({ id: '78', type: 'installationUpdate', action: 'add' }),
    )
    expect(await events('botAdded')).toHaveLength(1)
  })

  test('a read receipt marks the messages of the bot as read', async () => {
    await send('text', { text: 'to be read' })
    const value = { lastReadMessageId: String(Date.now() + 60_000) }
    const name = 'application/vnd.microsoft.readReceipt'
    const receipt = teams.complete({ id: '79', type: 'event', name, value })
    expect((await teams.post(receipt)).status).toBe(200)
    const first = (await channel.messages()).find(
      ({ direction }) => direction === 'incoming',
    )
    const reached = await channel.scene.app.services.db
      .selectFrom('participant')
      .select('read_until')
      .where('user_id', '=', first?.userId)
      .executeTakeFirstOrThrow()
    const last = (await channel.messages()).at(-1)
    expect(reached.read_until?.toISOString()).toBe(last?.createdAt)
  })

  test('shows that the bot is typing', async () => {
    const { id } = await findConversation()
    const body = { type: 'teams:startTypingIndicator', input: { conversationId: id } }
    expect((await post('/v1/chat/actions', body)).status).toBeLessThan(300)
    expect(teams.calls.at(-1)?.body).toEqual({ type: 'typing' })
  })

  test('begins a conversation with a person, by e-mail address', async () => {
    const { id } = await findConversation()
    const input = { conversationId: id, teamsUserEmail: 'ana@example.org' }
    const { body } = await post('/v1/chat/actions', {
      type: 'teams:startDmConversation',
      input,
    })
    expect(body.output.userId).toBe(personId)
    const opened = await get(`/v1/chat/conversations/${body.output.conversationId}`)
    expect(opened.conversation.tags['teams:id']).toBe(`a:dm-${personId}`)
  })

  test('sends nothing to an address that Teams has not named', async () => {
    const before = teams.calls.length
    const body = {
      channel: 'channel',
      integrationName: 'teams',
      tags: { id: 'a:other', serviceUrl: teams.serviceUrl, serviceProof: 'x' },
    }
    const created = await post('/v1/chat/conversations', body)
    const { id } = created.body.conversation
    await post('/v1/chat/messages', {
      conversationId: id,
      userId: channel.scene.botId,
      type: 'text',
      payload: { text: 'x' },
      tags: {},
    })
    const issues = () => get(`/v1/admin/bots/${channel.scene.botId}/issues`)
    await until(async () =>
      JSON.stringify(await issues()).includes('has not named the address'),
    )
    expect(teams.calls).toHaveLength(before)
  })
})

test.each([
  [{ appPassword: 'wrong' }, 'copy the column "Value"'],
  [{ appPassword: 'expired' }, 'has expired'],
  [{ appId: 'wrong' }, 'compare the Microsoft App ID'],
  [{ tenantId: 'wrong' }, 'does not know the App Tenant ID'],
])('explains a wrong set-up: %j, %s', async (more, words) => {
  const scene = await openScene()
  await scene.listen()
  const standIn = await openTeams(more)
  await expect(installChannel(scene, 'teams', standIn.configuration)).rejects.toThrow(
    words,
  )
  await scene.close()
  await standIn.close()
})
