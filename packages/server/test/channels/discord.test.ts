import { ReactionType } from 'discord-api-types/v10'
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
  botId,
  type Discord,
  dm,
  guildChannel,
  openDiscord,
  person,
  toMessage,
} from './discord-stand-in.ts'
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
    const list = async () =>
      (await read(channel, `/v1/chat/events?type=discord:${type}`)).events
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
    const { channel_id } = guildChannel
    const referenced_message = toMessage({ id: '1', channel_id, content: 'Is it new?' })
    const mentions = [bot]
    const content = `<@${botId}> yes`
    await discord.receive({
      ...guildChannel,
      type: 19,
      content,
      mentions,
      referenced_message,
    })
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
    const change = toMessage({ id, content: 'Twelve' })
    await discord.dispatch('MESSAGE_UPDATE', change)
    await discord.dispatch('MESSAGE_UPDATE', {
      ...change,
      edited_timestamp: '2026-01-01T00:00:00Z',
    })
    await discord.dispatch('MESSAGE_DELETE', { id, channel_id: dm })
    const reaction: Parameters<typeof discord.dispatch<'MESSAGE_REACTION_ADD'>>[1] = {
      user_id: person.id,
      channel_id: dm,
      message_id: id,
      emoji: { id: null, name: '👍' },
      burst: false,
      type: ReactionType.Normal,
    }
    await discord.dispatch('MESSAGE_REACTION_ADD', reaction)
    await discord.dispatch('MESSAGE_REACTION_REMOVE', reaction)
    const edited = await findEvent('messageEdited')
    expect(edited.payload).toMatchObject({ messageTags, payload: { text: 'Twelve' } })
    const deleted = await findEvent('messageDeleted')
    expect(deleted.payload).toMatchObject({ messageTags })
    expect(deleted.conversationId).toBe(message?.conversationId)
    for (const type of ['reactionAdded', 'reactionRemoved'])
      expect((await findEvent(type)).payload).toMatchObject({
        messageTags,
        reaction: '👍',
      })
    const { events } = await read(channel, '/v1/chat/events?type=discord:messageEdited')
    expect(events).toHaveLength(1)
  })

  test('formatting stays, and other characters are not read as formatting', async () => {
    const text =
      'Take **this**, not snake_case_name, `a_b` or https://example.org/a_b_c @everyone'
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
    const reply = await run('startTypingIndicator', {
      conversationId: message?.conversationId,
    })
    expect(reply).toMatchObject({ status: 200 })
    expect(discord.calls.some(({ path }) => path === `/api/channels/${dm}/typing`)).toBe(
      true,
    )
    const { body } = await run('startDm', { userId: person.id })
    expect(body.output).toEqual({ channelId: dm })
  })

  const mistakes: [string, Json, RegExp][] = [
    [
      'another secret in place of the token',
      { botToken: 'abcdef' },
      /three parts with dots/,
    ],
    [
      'an unknown token',
      { botToken: 'NzAw.other.token' },
      /does not know this bot token/,
    ],
  ]
  test.each(mistakes)('explains %s', async (_, change, reason) => {
    const configuration = { ...discord.configuration, ...change }
    await expect(installChannel(channel.scene, 'discord', configuration)).rejects.toThrow(
      reason,
    )
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

describe('slash commands of Discord', () => {
  const commands = 'Order: Shows your order\n\nsecret (private): Only you see the answer'
  const inGuild = guildChannel
  let discord: Discord
  let channel: ChannelScene
  beforeAll(async () => {
    discord = await openDiscord()
    discord.commands = [{ id: '1', name: 'other', description: 'Of another program' }]
    discord.configuration.commands = commands
    channel = await openChannelScene('discord', async () => discord)
  })
  afterAll(() => channel?.close())

  const names = () => discord.commands.map(({ name }) => name).sort()
  const install = (more: Json) =>
    installChannel(channel.scene, 'discord', { ...discord.configuration, ...more })
  const answer = (incoming: Json | undefined, text: string) => {
    const { conversationId } = incoming!
    const body = {
      conversationId,
      userId: channel.scene.botId,
      type: 'text',
      payload: { text },
    }
    return channel.scene.call('POST', '/v1/chat/messages', {
      headers: channel.scene.asBot,
      body: { ...body, tags: {} },
    })
  }
  const find = (text: string) =>
    discord.messages().find(({ content }) => content === text)

  test('the application has those of the setting, and others stay', async () => {
    expect(names()).toEqual(['order', 'other', 'secret'])
    await install({ commands: 'order: Shows what you have ordered' })
    expect(names()).toEqual(['order', 'other'])
    const order = discord.commands.find(({ name }) => name === 'order')
    expect(order?.description).toBe('Shows what you have ordered')
    await expect(install({ commands: 'no colon' })).rejects.toThrow(/"no colon"/)
    await install({ commands })
    expect(names()).toEqual(['order', 'other', 'secret'])
  })

  test('is deferred at once, and the first answer replaces the wait', async () => {
    const token = await discord.command('order', 'of today')
    await until(() => discord.deferred.has(token))
    expect(discord.deferred.get(token)).toEqual({ type: 5, flags: 0 })
    const [message] = await arrived(channel, '/order of today')
    await answer(message, 'Two loaves')
    await answer(message, 'Anything else?')
    await until(() => find('Anything else?') !== undefined)
    expect(find('Two loaves')).toMatchObject({ token })
    expect(find('Anything else?')?.token).toBeUndefined()
  })

  test('two commands get their answers in order', async () => {
    const tokens = [
      await discord.command('order', 'one'),
      await discord.command('order', 'two'),
    ]
    const [message] = await arrived(channel, '/order two')
    for (const text of ['first', 'second']) await answer(message, text)
    await until(() => find('second') !== undefined)
    expect([find('first')?.token, find('second')?.token]).toEqual(tokens)
  })

  test('a repeated answer goes to the same command', async () => {
    const token = await discord.command('order', 'again')
    const [message] = await arrived(channel, '/order again')
    discord.failNext('unavailable')
    await answer(message, 'sent at the second try')
    await until(() => find('sent at the second try') !== undefined)
    expect(find('sent at the second try')?.token).toBe(token)
  })

  test('a message after a command is answered as such, and a late answer, too', async () => {
    await discord.say('no command')
    const [message] = await arrived(channel, 'no command')
    await answer(message, 'no answer of a command')
    await until(() => find('no answer of a command') !== undefined)
    expect(find('no answer of a command')?.token).toBeUndefined()
    const token = await discord.command('order', 'late')
    await arrived(channel, '/order late')
    discord.deferred.get(token)!.isOver = true
    await answer(message, 'a late answer')
    await until(() => find('a late answer') !== undefined)
    expect(find('a late answer')?.token).toBeUndefined()
  })

  test('only the person sees all answers of a private one, also of its buttons', async () => {
    const token = await discord.command('secret', undefined, inGuild)
    const [message] = await arrived(channel, '/secret')
    expect(discord.deferred.get(token)).toEqual({ type: 5, flags: 64 })
    const path = `/v1/chat/conversations/${message?.conversationId}`
    const { conversation } = await read(channel, path)
    expect(conversation.tags['discord:id']).toBe(`${inGuild.channel_id}.${person.id}`)
    const options = [{ label: 'Yes', value: 'y' }]
    const choice = { type: 'choice', payload: { text: 'Sure?', options } }
    const body = {
      conversationId: conversation.id,
      userId: channel.scene.botId,
      ...choice,
      tags: {},
    }
    await channel.scene.call('POST', '/v1/chat/messages', {
      headers: channel.scene.asBot,
      body,
    })
    await answer(message, 'a second private answer')
    await until(() => find('a second private answer') !== undefined)
    expect([find('Sure?')?.flags, find('a second private answer')?.flags]).toEqual([
      64, 64,
    ])
    await discord.pressIn('Yes', inGuild)
    const [pressed] = await arrived(channel, 'Yes')
    expect(pressed?.conversationId).toBe(conversation.id)
    await answer(pressed, 'done in private')
    await until(() => find('done in private') !== undefined)
    expect(find('done in private')?.flags).toBe(64)
  })
})

describe('a bot on many servers of Discord', () => {
  let discord: Discord
  let channel: ChannelScene
  beforeAll(async () => {
    discord = await openDiscord()
    Object.assign(discord, { shards: 3, maxConcurrency: 2 })
    channel = await openChannelScene('discord', async () => discord)
    await discord.say('to the first shard')
    await arrived(channel, 'to the first shard')
  }, 30_000)
  afterAll(() => channel?.close())

  /** A server of which Discord sends to this shard. */
  const place = (shard: number) => ({
    channel_id: `70040000000000000${shard}`,
    guild_id: String((BigInt(300 + shard) << 22n) + 1n),
  })

  test('begins as many sessions at once as Discord admits', () => {
    const { identified } = discord
    expect(identified.map(({ shard }) => shard).sort()).toEqual([0, 1, 2])
    const [first, , third] = [...identified].sort((a, b) => a.shard - b.shard)
    expect(third!.at - first!.at).toBeGreaterThan(4_500)
  })

  test('receives by all shards, and resumes one alone', async () => {
    for (const shard of [0, 1, 2])
      await discord.receive({ ...place(shard), content: `by ${shard}` })
    for (const shard of [0, 1, 2])
      expect(await arrived(channel, `by ${shard}`)).toHaveLength(1)
    const before = discord.begun.length
    discord.cutShard(1)
    await discord.receive({ ...place(1), content: 'while it was cut' })
    expect(await arrived(channel, 'while it was cut')).toHaveLength(1)
    expect(discord.begun.slice(before)).toEqual(['resume'])
  })

  test('begins with more shards when the bot is on more servers', async () => {
    discord.shards = 4
    discord.cut()
    await until(() => discord.identified.some(({ shard }) => shard === 3))
    await discord.receive({
      ...place(0),
      guild_id: String((3n << 22n) + 1n),
      content: 'by the fourth',
    })
    expect(await arrived(channel, 'by the fourth')).toHaveLength(1)
  }, 40_000)
})
