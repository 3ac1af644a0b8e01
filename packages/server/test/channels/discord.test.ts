import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ChannelScene,
  describeChannel,
  installChannel,
  openChannelScene,
  until,
} from './cases.ts'
import { botId, type Discord, dm, guildChannel, openDiscord, person } from './discord-stand-in.ts'
import { type Json, serve } from './stand-in.ts'

describe('by the gateway', () => describeChannel('discord', openDiscord))

const read = async ({ scene }: ChannelScene, path: string) =>
  (await scene.call('GET', path, { headers: { ...scene.admin, ...scene.asBot } })).body

async function listIncoming(channel: ChannelScene): Promise<Json[]> {
  const { messages } = await read(channel, '/v1/chat/messages')
  return messages.filter(({ direction }: Json) => direction === 'incoming').reverse()
}

async function arrived(channel: ChannelScene, text: string): Promise<Json[]> {
  const matches = ({ payload }: Json) => payload.text === text
  await until(async () => (await listIncoming(channel)).some(matches))
  return (await listIncoming(channel)).filter(matches)
}

describe('of Discord', () => {
  let discord: Discord
  let channel: ChannelScene
  beforeAll(async () => {
    discord = await openDiscord()
    channel = await openChannelScene('discord', async () => discord)
    await discord.say('Good morning')
    await arrived(channel, 'Good morning')
  })
  afterAll(() => channel?.close())

  const findEvent = async (type: string) => {
    const list = async () => (await read(channel, `/v1/chat/events?type=discord:${type}`)).events
    await until(async () => (await list()).length > 0)
    return (await list())[0]
  }

  test('a session goes on after the last stored event when the connection breaks', async () => {
    discord.cut()
    await discord.say('while nobody was connected')
    expect(await arrived(channel, 'while nobody was connected')).toHaveLength(1)
    expect(discord.begun.at(-1)).toBe('resume')
    discord.reconnect()
    await discord.say('to the next connection')
    expect(await arrived(channel, 'to the next connection')).toHaveLength(1)
    expect(discord.begun.filter((one) => one === 'identify')).toHaveLength(1)
  })

  test('a session that Discord has ended is followed by another one', async () => {
    discord.endSession()
    discord.cut()
    await until(() => discord.begun.filter((one) => one === 'identify').length === 2)
    await discord.say('in the next session')
    expect(await arrived(channel, 'in the next session')).toHaveLength(1)
  })

  test('the connection sends heartbeats', async () => {
    discord.heartbeatMs = 50
    const before = discord.heartbeats
    discord.cut()
    await until(() => discord.heartbeats > before + 2)
    discord.heartbeatMs = 41_250
    discord.cut()
  })

  test('a message in a channel that mentions the bot and quotes another one arrives with both', async () => {
    const referenced_message = {
      id: '1',
      channel_id: guildChannel.channel_id,
      content: 'Is it new?',
    }
    const mentions = [{ id: botId, username: 'bot', bot: true }]
    const content = `<@${botId}> yes`
    await discord.receive({ ...guildChannel, type: 19, content, mentions, referenced_message })
    const [message] = await arrived(channel, content)
    expect(message?.payload.replyTo).toEqual({ id: '1', text: 'Is it new?' })
    expect(message?.tags['discord:mentionsBot']).toBe('true')
    const path = `/v1/chat/conversations/${message?.conversationId}`
    const { conversation } = await read(channel, path)
    expect(conversation).toMatchObject({
      channel: 'channel',
      tags: { 'discord:id': guildChannel.channel_id },
    })
  })

  test('what bots and the system write is no message', async () => {
    await discord.receive({ content: 'of a bot', author: { ...person, bot: true } })
    await discord.receive({ content: 'of a webhook', webhook_id: '1' })
    await discord.receive({ content: 'of the system', type: 7 })
    await discord.say('of the person')
    await arrived(channel, 'of the person')
    const texts = (await listIncoming(channel)).map(({ payload }) => payload.text)
    expect(texts.filter((text) => /^of /.test(text))).toEqual(['of the person'])
  })

  test('edits, deletions and reactions are events', async () => {
    const id = await discord.receive({ content: 'Ten' })
    const [message] = await arrived(channel, 'Ten')
    const messageTags = { id, channelId: dm }
    const change = { id, channel_id: dm, author: person, content: 'Twelve' }
    await discord.dispatch('MESSAGE_UPDATE', { ...change, edited_timestamp: null })
    await discord.dispatch('MESSAGE_UPDATE', {
      ...change,
      edited_timestamp: '2026-01-01T00:00:00Z',
    })
    await discord.dispatch('MESSAGE_DELETE', { id, channel_id: dm })
    const reaction = { user_id: person.id, channel_id: dm, message_id: id, emoji: { name: '👍' } }
    await discord.dispatch('MESSAGE_REACTION_ADD', reaction)
    await discord.dispatch('MESSAGE_REACTION_REMOVE', reaction)
    const edited = await findEvent('messageEdited')
    expect(edited.payload).toMatchObject({ messageTags, payload: { text: 'Twelve' } })
    const deleted = await findEvent('messageDeleted')
    expect(deleted.payload).toMatchObject({ messageTags })
    expect(deleted.conversationId).toBe(message?.conversationId)
    for (const type of ['reactionAdded', 'reactionRemoved'])
      expect((await findEvent(type)).payload).toMatchObject({ messageTags, reaction: '👍' })
    const { events } = await read(channel, '/v1/chat/events?type=discord:messageEdited')
    expect(events).toHaveLength(1)
  })

  test('formatting stays, and other characters are not read as formatting', async () => {
    const text = 'Take **this**, not snake_case_name, `a_b` or https://example.org/a_b_c @everyone'
    await channel.send('text', { text })
    await until(() => /Take/.test(discord.messages().at(-1)?.content))
    expect(discord.messages().at(-1)?.content).toBe(
      'Take **this**, not snake\\_case\\_name, `a_b` or https://example.org/a_b_c @everyone',
    )
    expect(discord.messages().at(-1)?.allowed_mentions).toEqual({ parse: ['users'] })
  })

  test('a text full of formatting stays within the limit', async () => {
    await channel.send('text', { text: '**bold** _italic_ `code` a_b '.repeat(300) })
    await channel.send('text', { text: 'that was all' })
    await until(() => discord.messages().at(-1)?.content === 'that was all')
    const all = discord.messages().map(({ content }) => content ?? '')
    expect(all.join(' ').split('**bold**')).toHaveLength(301)
  })

  test('files are sent as files, and a file that cannot be loaded as a link', async () => {
    const type = { 'content-type': 'audio/mpeg' }
    const other = await serve(() => ({ body: Buffer.from('a song'), headers: type }))
    await channel.send('audio', { audioUrl: `${other.url}/song.mp3`, title: 'A song' })
    await until(() => discord.shown().at(-1)?.media?.bytes === 6)
    expect(discord.shown().at(-1)?.text).toBe('A song')
    await other.close()
    await channel.send('file', { fileUrl: `${other.url}/gone.pdf`, title: 'The offer' })
    await until(() => /The offer/.test(discord.messages().at(-1)?.content))
    expect(discord.messages().at(-1)?.content).toBe(`The offer\n${other.url}/gone.pdf`)
  })

  test('many options and long labels stay within the limits, and each can be chosen', async () => {
    const long = `Long ${'label '.repeat(20)}end`
    const labels = [long, ...Array.from({ length: 129 }, (_, i) => `Option ${i}`)]
    const options = labels.map((label) => ({ label, value: `value of ${label}` }))
    for (const [type, last] of [
      ['choice', 'Option 128'],
      ['dropdown', 'Option 127'],
    ] as const) {
      const before = discord.shown().length
      await channel.send(type, { text: `Which ${type}?`, options })
      const list = () => discord.shown().slice(before)
      await until(() => list().flatMap(({ buttons = [] }) => buttons).length === 130)
      expect(
        list()
          .map(({ text }) => text)
          .join('\n'),
      ).toContain(long)
      await discord.press(last)
    }
    const [pressed] = await arrived(channel, 'Option 128')
    expect(pressed?.payload.value).toBe('value of Option 128')
    await arrived(channel, 'Option 127')
  })

  test('the bot shows that it types, and starts a direct message', async () => {
    await discord.say('Are you there?')
    const [message] = await arrived(channel, 'Are you there?')
    const run = (type: string, input: Json) =>
      channel.scene.call('POST', '/v1/chat/actions', {
        headers: channel.scene.asBot,
        body: { type: `discord:${type}`, input },
      })
    const reply = await run('startTypingIndicator', { conversationId: message?.conversationId })
    expect(reply).toMatchObject({ status: 200 })
    expect(discord.calls.some(({ path }) => path === `/api/channels/${dm}/typing`)).toBe(true)
    const { body } = await run('startDm', { userId: person.id })
    expect(body.output).toEqual({ channelId: dm })
  })

  const mistakes: [string, Json, RegExp][] = [
    ['another secret in place of the token', { botToken: 'abcdef' }, /three parts with dots/],
    ['an unknown token', { botToken: 'NzAw.other.token' }, /does not know this bot token/],
  ]
  test.each(mistakes)('explains %s', async (_, change, reason) => {
    const configuration = { ...discord.configuration, ...change }
    await expect(installChannel(channel.scene, 'discord', configuration)).rejects.toThrow(reason)
  })

  test('explains a missing intent, and does without it where the bot is mentioned', async () => {
    discord.flags = 0
    const install = (more: Json) =>
      installChannel(channel.scene, 'discord', { ...discord.configuration, ...more })
    await expect(install({})).rejects.toThrow(/Message Content Intent/)
    const before = discord.begun.length
    await install({ onlyOnBotMention: true })
    await until(() => discord.begun.length > before)
    await discord.receive({ ...guildChannel, content: 'among people' })
    await discord.say('directly to the bot')
    await arrived(channel, 'directly to the bot')
    expect(JSON.stringify(await listIncoming(channel))).not.toContain('among people')
  })
})
