import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ChannelScene,
  describeChannel,
  installChannel,
  openChannelScene,
  until,
} from './cases.ts'
import {
  bot,
  dm,
  openSlack,
  person,
  type Slack,
  toFile,
  toMessage,
  toRichBlocks,
} from './slack-stand-in.ts'
import { type Json, serve } from './stand-in.ts'

const openWebhookSlack = async () => {
  const standIn = await openSlack()
  standIn.configuration.receiveBy = 'webhook'
  return standIn
}

describe('by a connection of this server', () => describeChannel('slack', openSlack))
describe('by requests of Slack', () => describeChannel('slack', openWebhookSlack))

const read = async ({ scene }: ChannelScene, path: string) =>
  (await scene.call('GET', path, { headers: { ...scene.admin, ...scene.asBot } })).body

/** Returns the messages of all conversations that people wrote. */
async function listIncoming(channel: ChannelScene): Promise<Json[]> {
  const { messages } = await read(channel, '/v1/chat/messages')
  return messages.filter(({ direction }: Json) => direction === 'incoming').reverse()
}

async function arrived(channel: ChannelScene, text: string): Promise<Json[]> {
  const matches = ({ payload }: Json) => payload.text === text
  await until(async () => (await listIncoming(channel)).some(matches))
  return (await listIncoming(channel)).filter(matches)
}

async function findConversation(
  channel: ChannelScene,
  { conversationId }: Json,
): Promise<Json> {
  return (await read(channel, `/v1/chat/conversations/${conversationId}`)).conversation
}

async function sendTo(
  channel: ChannelScene,
  conversationId: string,
  type: string,
  payload: Json,
) {
  const { scene } = channel
  const body = { conversationId, userId: scene.botId, type, payload, tags: {} }
  await scene.call('POST', '/v1/chat/messages', { headers: scene.asBot, body })
}

describe('of Slack', () => {
  let slack: Slack
  let channel: ChannelScene
  beforeAll(async () => {
    slack = await openSlack()
    channel = await openChannelScene('slack', async () => slack)
    await slack.say('Good morning')
    await arrived(channel, 'Good morning')
  })
  afterAll(() => channel?.close())

  const findEvent = async (type: string) => {
    const list = async () =>
      (await read(channel, `/v1/chat/events?type=slack:${type}`)).events
    await until(async () => (await list()).length > 0)
    return (await list())[0]
  }

  test('an envelope is acknowledged once its message is stored, and arrives again if it is not', async () => {
    slack.cut()
    await slack.say('while nobody was connected')
    const [message] = await arrived(channel, 'while nobody was connected')
    expect(message).toBeDefined()
    const before = slack.acknowledged.length
    slack.refresh()
    await slack.say('to the next connection')
    expect(await arrived(channel, 'to the next connection')).toHaveLength(1)
    await until(() => slack.acknowledged.length > before)
  })

  test('a message in a thread is answered in the thread', async () => {
    const began = slack.toTs()
    await slack.receive({
      channel: 'C7001',
      thread_ts: began,
      text: `In the thread <@${bot}>`,
    })
    const [message] = await arrived(channel, `In the thread <@${bot}>`)
    expect(message?.tags['slack:mentionsBot']).toBe('true')
    const conversation = await findConversation(channel, message!)
    expect(conversation).toMatchObject({
      channel: 'thread',
      tags: { 'slack:id': 'C7001', 'slack:thread': began },
    })
    await sendTo(channel, conversation.id, 'text', { text: 'Here' })
    await until(() => slack.messages().at(-1)?.text === 'Here')
    expect(slack.messages().at(-1)).toMatchObject({ channel: 'C7001', thread_ts: began })
  })

  test('two threads of one channel that the bot opens are two conversations', async () => {
    const open = async (thread: string) => {
      const tags = { id: 'C7002', thread }
      const body = { integrationName: 'slack', channel: 'thread', tags }
      const path = '/v1/chat/conversations'
      const reply = await channel.scene.call('POST', path, {
        headers: channel.scene.asBot,
        body,
      })
      return reply.body.conversation.id
    }
    const [one, two] = [await open('1.1'), await open('2.2')]
    expect(one).not.toBe(two)
    expect(await open('1.1')).toBe(one)
  })

  test('formatting arrives as Markdown, and is sent as mrkdwn', async () => {
    const elements: Parameters<typeof toRichBlocks>[0] = [
      { type: 'text', text: 'Take the ' },
      { type: 'text', text: 'large', style: { bold: true } },
      { type: 'text', text: ' one ' },
      { type: 'emoji', name: 'wave', unicode: '1f44b' },
      { type: 'text', text: ' from ' },
      { type: 'link', url: 'https://example.org', text: 'the shop' },
    ]
    await slack.receive({ text: 'Take the *large* one', blocks: toRichBlocks(elements) })
    await arrived(
      channel,
      'Take the **large** one 👋 from [the shop](https://example.org)',
    )
    const text =
      'Take **this** & ~~not~~ [that](https://example.org/a?b=1&c=2), <!channel>'
    await channel.send('text', { text })
    await until(() => /this/.test(slack.messages().at(-1)?.text))
    expect(slack.messages().at(-1)?.text).toBe(
      'Take *this* &amp; ~not~ <https://example.org/a?b=1&amp;c=2|that>, &lt;!channel&gt;',
    )
  })

  test('edits, deletions and reactions are events', async () => {
    const ts = await slack.receive({ text: 'Ten' })
    await arrived(channel, 'Ten')
    const messageTags = { ts, channelId: dm }
    const message = toMessage({ text: 'Twelve', ts })
    const previous_message = toMessage({ text: 'Ten', ts })
    const change = {
      ...toMessage({ ts: slack.toTs() }),
      hidden: true as const,
      previous_message,
    }
    await slack.event({ ...change, subtype: 'message_changed', message })
    const edited = await findEvent('messageEdited')
    expect(edited.payload).toMatchObject({ messageTags, payload: { text: 'Twelve' } })
    await slack.event({ ...change, subtype: 'message_deleted', deleted_ts: ts })
    expect((await findEvent('messageDeleted')).payload).toMatchObject({ messageTags })
    const reaction = {
      user: person,
      item_user: person,
      reaction: 'thumbsup',
      item: { type: 'message' as const, channel: dm, ts },
    }
    await slack.event({ type: 'reaction_added', ...reaction })
    await slack.repeat()
    await slack.event({ type: 'reaction_removed', ...reaction })
    for (const type of ['reactionAdded', 'reactionRemoved'])
      expect((await findEvent(type)).payload).toMatchObject({
        messageTags,
        reaction: 'thumbsup',
      })
    const { events } = await read(channel, '/v1/chat/events?type=slack:reactionAdded')
    expect(events).toHaveLength(1)
  })

  test('what bots write and previews of links are no messages', async () => {
    const ts = slack.toTs()
    const message = toMessage({ text: 'See', ts })
    await slack.receive({ text: 'of a bot', bot_id: 'B1' })
    await slack.receive({ text: 'of the system', subtype: 'channel_join' })
    const change = {
      ...message,
      hidden: true as const,
      message,
      previous_message: message,
    }
    await slack.event({ ...change, subtype: 'message_changed' })
    await slack.say('of the person')
    await arrived(channel, 'of the person')
    const texts = (await listIncoming(channel)).map(({ payload }) => payload.text)
    expect(texts.filter((text) => /^of /.test(text))).toEqual(['of the person'])
  })

  test('files are sent as files, also those of another server', async () => {
    const other = await serve(() => ({
      body: Buffer.from('a song'),
      headers: { 'content-type': 'audio/mpeg' },
    }))
    await channel.send('audio', { audioUrl: `${other.url}/song.mp3`, title: 'A song' })
    await until(() => slack.shown().at(-1)?.media?.bytes === 6)
    expect(slack.shown().at(-1)?.text).toBe('A song')
    await other.close()
    await channel.send('file', { fileUrl: `${other.url}/gone.pdf`, title: 'The offer' })
    await until(() => /The offer/.test(slack.messages().at(-1)?.text))
    expect(slack.messages().at(-1)?.text).toContain('/gone.pdf|The offer>')
  })

  test('a file at another address arrives as a link, and that address gets no token', async () => {
    const asked: unknown[] = []
    const elsewhere = await serve((call) => {
      asked.push(call.headers.authorization)
      return { body: Buffer.from('x') }
    })
    const url_private = `${elsewhere.url}/offer.pdf`
    const file = toFile({ id: 'F9', name: 'offer.pdf', url_private })
    await slack.receive({ subtype: 'file_share', files: [file] })
    await arrived(channel, `[offer.pdf] ${elsewhere.url}/offer.pdf`)
    expect(asked).toEqual([])
    await elsewhere.close()
  })

  test('many options and long labels stay within the limits, and each can be chosen', async () => {
    const long = `Long ${'label '.repeat(20)}end`
    const labels = [long, ...Array.from({ length: 129 }, (_, i) => `Option ${i}`)]
    const options = labels.map((label) => ({ label, value: `value of ${label}` }))
    for (const type of ['choice', 'dropdown']) {
      await channel.send(type, { text: `Which ${type}?`, options })
      await until(() => slack.shown().at(-1)?.text?.includes(`Which ${type}?`) ?? false)
      expect(slack.shown().at(-1)?.buttons).toHaveLength(130)
      expect(slack.shown().at(-1)?.text).toContain(long)
      await slack.press(`Option ${type === 'choice' ? 99 : 101}`)
    }
    const [pressed] = await arrived(channel, 'Option 99')
    expect(pressed?.payload.value).toBe('value of Option 99')
    await arrived(channel, 'Option 101')
  })

  test('a command arrives as its text', async () => {
    await slack.command('/order', 'pizza')
    expect(await arrived(channel, '/order pizza')).toHaveLength(1)
  })

  test('the bot reacts to a message, and changes the topic of a channel', async () => {
    await slack.say('Well done')
    const [message] = await arrived(channel, 'Well done')
    const run = (type: string, input: Json) =>
      channel.scene.call('POST', '/v1/chat/actions', {
        headers: channel.scene.asBot,
        body: { type: `slack:${type}`, input },
      })
    expect(
      await run('addReaction', { name: ':tada:', messageId: message?.id }),
    ).toMatchObject({
      status: 200,
    })
    const timestamp = message?.tags['slack:ts']
    expect(slack.calls.at(-1)).toEqual({
      method: 'reactions.add',
      parameters: { channel: dm, timestamp, name: 'tada' },
    })
    await run('updateChannelTopic', { topic: 'News', channelId: 'C7001' })
    expect(slack.calls.at(-1)?.parameters).toEqual({ channel: 'C7001', topic: 'News' })
    const { status } = await run('addReaction', {
      name: 'tada',
      messageId: 'msg_unknown',
    })
    expect(status).toBeGreaterThanOrEqual(400)
  })

  test('a token that Slack does not know any more is reported', async () => {
    slack.failNext('credentials')
    await channel.send('text', { text: 'cannot be sent' })
    const path = `/v1/admin/bots/${channel.scene.botId}/issues`
    const list = async () => JSON.stringify((await read(channel, path)).issues)
    await until(async () => /Bot User OAuth Token/.test(await list()))
    expect(await list()).not.toContain(slack.configuration.botToken)
  })
})

describe('set up', () => {
  let slack: Slack
  let channel: ChannelScene
  beforeAll(async () => {
    slack = await openWebhookSlack()
    channel = await openChannelScene('slack', async () => slack)
  })
  afterAll(() => channel?.close())

  const hello = () => ({
    body: JSON.stringify({
      type: 'event_callback',
      event: {
        type: 'message',
        user: person,
        channel: dm,
        ts: slack.toTs(),
        text: 'forged',
      },
    }),
    type: 'application/json',
  })

  test('the address answers the challenge of Slack', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c-7' })
    const reply = await slack.request({ body, type: 'application/json' })
    expect([reply.status, await reply.text()]).toEqual([200, 'c-7'])
  })

  test('a request with a wrong, an old or without a signature is rejected, and stored nowhere', async () => {
    const now = Date.now() / 1_000
    const replies = [
      await slack.request(hello(), { secret: 'wrong' }),
      await slack.request(hello(), { at: now - 301 }),
      await slack.request(hello(), { at: Number.NaN }),
      await fetch(slack.webhook, { method: 'POST', body: hello().body }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    await slack.say('the end')
    await arrived(channel, 'the end')
    expect(await listIncoming(channel)).toHaveLength(1)
  })

  const mistakes: [string, Json, RegExp][] = [
    [
      'tokens in each other’s place',
      { botToken: 'xapp-1-A1-1-x' },
      /bot token begins with "xoxb-"/,
    ],
    [
      'an unknown token',
      { botToken: 'xoxb-other' },
      /Slack does not know this bot token/,
    ],
    [
      'no app-level token',
      { appToken: undefined },
      /app-level token begins with "xapp-"/,
    ],
    [
      'an unknown app-level token',
      { appToken: 'xapp-1-A7003-1-x' },
      /does not know this app-level/,
    ],
    [
      'no signing secret',
      { receiveBy: 'webhook', signingSecret: undefined },
      /Signing Secret is needed/,
    ],
  ]
  test.each(mistakes)('explains %s', async (_, change, reason) => {
    const configuration = { ...slack.configuration, receiveBy: 'connection', ...change }
    await expect(installChannel(channel.scene, 'slack', configuration)).rejects.toThrow(
      reason,
    )
  })

  test('explains a missing scope, tokens of two apps, and Socket Mode that is off', async () => {
    const configuration = { ...slack.configuration, receiveBy: 'connection' }
    slack.isSocketModeOn = false
    const install = () => installChannel(channel.scene, 'slack', configuration)
    await expect(install()).rejects.toThrow(/Socket Mode is off/)
    slack.isSocketModeOn = true
    slack.appId = 'A9999'
    await expect(install()).rejects.toThrow(/tokens are of different apps/)
    slack.scopes = 'users:read'
    await expect(install()).rejects.toThrow(/scope "chat:write" and "im:history"/)
  })

  test('messages of a channel that mention the bot are answered in a thread below them', async () => {
    slack.scopes = 'chat:write,im:history'
    const replyBehaviour = { location: 'thread', onlyOnBotMention: true }
    const installed = await installChannel(channel.scene, 'slack', {
      ...slack.configuration,
      replyBehaviour,
    })
    slack.setWebhook(
      new URL(new URL(installed.webhookUrl).pathname, channel.scene.app.address.api).href,
    )
    await slack.receive({ channel: 'C7001', text: 'among people' })
    const ts = await slack.receive({ channel: 'C7001', text: `<@${bot}> what is new?` })
    const [message] = await arrived(channel, `<@${bot}> what is new?`)
    const { tags } = await findConversation(channel, message!)
    expect(tags).toMatchObject({ 'slack:thread': ts, 'slack:isBotReplyThread': 'true' })
    expect(JSON.stringify(await listIncoming(channel))).not.toContain('among people')
  })
})
