// The cases that every channel passes against the stand-in of its provider: what a person says arrives at the
// bot, and what the bot says arrives at the person, once and in order, also after failures.
import {
  channels,
  type MessageType,
  messageTypes,
  type ShownAs,
} from '@botstead/channels'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'
import type { Json, Shown, StandIn } from './stand-in.ts'

export interface ChannelScene {
  scene: Scene
  standIn: StandIn
  alias: string
  /** The messages of the person's conversation, oldest first. */
  messages(): Promise<Json[]>
  /** Sends a message of the bot to the person, and returns it. */
  send(type: string, payload: Json): Promise<Json>
  close(): Promise<void>
}

/** Waits until the check returns true. */
export const until = (check: () => boolean | Promise<boolean>): Promise<void> =>
  vi.waitFor(
    async () => {
      if (!(await check())) throw new Error('not yet')
    },
    { timeout: 15_000, interval: 30 },
  )

/** Waits until all parts of a message of the bot are sent: until its delivery has ended. */
export const untilSent = ({ scene, alias }: ChannelScene, id: string): Promise<void> =>
  until(async () => {
    const { db } = scene.app.services
    const message = db.selectFrom('message').select('tags').where('id', '=', id)
    const { tags } = await message.executeTakeFirstOrThrow()
    const delivery = db.selectFrom('delivery').select('id').where('subject_id', '=', id)
    return (
      `${alias}:parts` in (tags as object) &&
      (await delivery.executeTakeFirst()) === undefined
    )
  })

/** Installs a channel in the bot of a new scene. */
export async function openChannelScene(
  name: string,
  openStandIn: () => Promise<StandIn>,
  open: () => Promise<Scene> = openScene,
): Promise<ChannelScene> {
  const scene = await open()
  await scene.listen()
  const standIn = await openStandIn()
  const installed = await installChannel(scene, name, standIn.configuration)
  // The Admin API names the host of the request, which here goes through no socket.
  const { pathname } = new URL(installed.webhookUrl)
  standIn.setWebhook?.(new URL(pathname, scene.app.address.api).href)
  const call = async (method: 'GET' | 'POST', path: string, body?: Json) => {
    const reply = await scene.call(method, path, {
      headers: scene.asBot,
      ...(body && { body }),
    })
    if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const findConversation = async () => {
    const { conversations } = await call(
      'GET',
      `/v1/chat/conversations?integrationName=${name}`,
    )
    return conversations[0] as Json | undefined
  }
  return {
    scene,
    standIn,
    alias: name,
    async messages() {
      const conversation = await findConversation()
      if (!conversation) return []
      const path = `/v1/chat/messages?conversationId=${conversation.id}`
      return (await call('GET', path)).messages.reverse()
    },
    async send(type, payload) {
      const { id: conversationId } = (await findConversation())!
      const body = { conversationId, userId: scene.botId, type, payload, tags: {} }
      return (await call('POST', '/v1/chat/messages', body)).message
    },
    async close() {
      await scene.close()
      await standIn.close()
    },
  }
}

/** Returns the installation as the Admin API shows it; throws if the channel does not register. */
export async function installChannel(
  scene: Pick<Scene, 'call' | 'botId' | 'admin'>,
  name: string,
  configuration: Json,
  { botId, admin: headers }: Pick<Scene, 'botId' | 'admin'> = scene,
): Promise<Json> {
  const hub = `/v1/admin/hub/integrations?name=${name}`
  const { body } = await scene.call('GET', hub, { headers })
  const path = `/v1/admin/bots/${botId}`
  const integrations = {
    [name]: { integrationId: body.integrations[0].id, enabled: true, configuration },
  }
  const reply = await scene.call('PUT', path, { headers, body: { integrations } })
  const all = Object.values<Json>(reply.body.bot?.integrations ?? {})
  const installed = all.find((one) => one.name === name)
  if (installed?.status !== 'registered')
    throw new Error(installed?.statusReason || JSON.stringify(reply.body))
  return installed
}

/** Waits for messages of the conversation that match. */
async function arrived(
  channel: ChannelScene,
  matches: (message: Json) => boolean,
): Promise<Json[]> {
  await until(async () => (await channel.messages()).some(matches))
  return (await channel.messages()).filter(matches)
}

const says = (text: string) => (message: Json) => message.payload.text === text

/** Returns what the person sees since `begin` was called, once it is `count` messages. */
function watch({ standIn }: ChannelScene) {
  const before = standIn.shown().length
  return async (count: number) => {
    await until(() => standIn.shown().length >= before + count)
    return standIn.shown().slice(before)
  }
}

const read = async ({ scene }: ChannelScene, path: string) =>
  (await scene.call('GET', path, { headers: { ...scene.admin, ...scene.asBot } })).body

type Case = (channel: ChannelScene) => Promise<void>

const incoming: Record<string, Case> = {
  'a text arrives, from a user with a name': async (channel) => {
    await channel.standIn.say('Hello ☕ <b>&amp;')
    const [message] = await arrived(channel, says('Hello ☕ <b>&amp;'))
    expect(message).toMatchObject({ type: 'text', direction: 'incoming' })
    const { user } = await read(channel, `/v1/chat/users/${message?.userId}`)
    expect(user.name).toBeTruthy()
  },

  'what arrives again is stored once': async (channel) => {
    await channel.standIn.say('only once')
    await arrived(channel, says('only once'))
    await channel.standIn.repeat()
    await channel.standIn.say('after the repetition')
    await arrived(channel, says('after the repetition'))
    expect(await arrived(channel, says('only once'))).toHaveLength(1)
  },

  'texts arrive in order': async (channel) => {
    const texts = Array.from({ length: 20 }, (_, i) => `number ${i}`)
    for (const text of texts) await channel.standIn.say(text)
    await arrived(channel, says('number 19'))
    const all = (await channel.messages()).map(({ payload }) => payload.text)
    expect(all.filter((text) => /^number/.test(text))).toEqual(texts)
  },
}

const outgoing: Record<string, Case> = {
  'answers arrive in order': async (channel) => {
    const shown = watch(channel)
    for (const text of ['one', 'two', 'three']) await channel.send('text', { text })
    expect((await shown(3)).map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  },

  'a text over the limit arrives whole, in parts': async (channel) => {
    const shown = watch(channel)
    const sentences = Array.from(
      { length: 200 },
      (_, i) => `This is the sentence number ${i + 1}.`,
    )
    const { id } = await channel.send('text', { text: sentences.join(' ') })
    await channel.send('text', { text: 'the end' })
    await until(() => channel.standIn.shown().at(-1)?.text === 'the end')
    const parts = (await shown(1)).slice(0, -1)
    expect(parts.map(({ text }) => text).join(' ')).toBe(sentences.join(' '))
    const message = (await channel.messages()).find((one) => one.id === id)
    expect(message?.tags[`${channel.alias}:parts`]).toBe(String(parts.length))
  },

  'a card has its title, its text and its buttons': async (channel) => {
    const shown = watch(channel)
    const actions = [
      { action: 'postback', label: 'Order', value: 'order-1' },
      { action: 'url', label: 'More', value: 'https://example.org/stone' },
    ]
    const card = { title: 'Baking stone', subtitle: 'Cordierite, 38 cm', actions }
    await channel.send('card', card)
    const all = JSON.stringify(await shown(1))
    for (const part of [
      'Baking stone',
      'Cordierite, 38 cm',
      'Order',
      'https://example.org/stone',
    ])
      expect(all).toContain(part)
  },
}

const failures: Record<string, Case> = {
  'a failure of the provider is repeated, without a double': async (channel) => {
    const shown = watch(channel)
    for (const failure of ['unavailable', 'limited'] as const) {
      channel.standIn.failNext(failure)
      await channel.send('text', { text: `after ${failure}` })
    }
    const texts = (await shown(2)).map(({ text }) => text)
    expect(texts).toEqual(['after unavailable', 'after limited'])
  },

  'what the provider rejects is an issue, holds up nothing, and can be redelivered':
    async (channel) => {
      const shown = watch(channel)
      channel.standIn.failNext('rejected')
      await channel.send('text', { text: 'rejected' })
      await channel.send('text', { text: 'after the rejection' })
      expect((await shown(1)).map(({ text }) => text)).toEqual(['after the rejection'])
      const issues = () => read(channel, `/v1/admin/bots/${channel.scene.botId}/issues`)
      await until(async () => (await issues()).issues.length > 0)
      expect((await issues()).issues[0].code).toBe('message_not_sent')
      const { failures } = await read(channel, '/v1/platform/failures')
      expect(failures).toMatchObject([{ kind: 'message', isRetried: false, attempts: 1 }])
      const { scene } = channel
      await scene.call('POST', '/v1/platform/failures/redeliver', {
        headers: scene.asBot,
        body: { ids: [failures[0].id] },
      })
      expect((await shown(2)).map(({ text }) => text)).toEqual([
        'after the rejection',
        'rejected',
      ])
    },
}

const options = [
  { label: 'Small', value: 'size-s' },
  { label: 'Large', value: `size-l-${'x'.repeat(200)}` },
]

const others: Record<string, Case> = {
  'a choice is answered by its option, with its value': async (channel) => {
    const { standIn } = channel
    const shown = watch(channel)
    await channel.send('choice', { text: 'Which size?', options })
    await channel.send('text', { text: 'Both are in stock.' })
    expect(JSON.stringify(await shown(2))).toContain('Large')
    if (standIn.press) await standIn.press('Large')
    else await standIn.say('2')
    const [answer] = await arrived(
      channel,
      ({ payload }) => payload.value === options[1]?.value,
    )
    expect(answer?.payload.text).toBe('Large')
  },

  'a member who takes the conversation answers on the channel': async (channel) => {
    const { scene, standIn } = channel
    await standIn.say('I want a person')
    const [asked] = await arrived(channel, says('I want a person'))
    const headers = { ...scene.admin, 'x-bot-id': scene.botId }
    const call = (path: string, body: Json) =>
      scene.call('POST', `/v1/platform/handoffs${path}`, { headers, body })
    const { body } = await call('', {
      conversationId: asked?.conversationId,
      assign: true,
    })
    const shown = watch(channel)
    const payload = { text: 'A person reads this.' }
    const answer = await call(`/${body.handoff.id}/messages`, { type: 'text', payload })
    expect(answer.status).toBe(201)
    expect((await shown(1))[0]?.text).toContain('A person reads this.')
    await standIn.say('Thank you, person')
    await arrived(channel, says('Thank you, person'))
    expect(
      (await call(`/${body.handoff.id}/close`, { outcome: 'returned' })).status,
    ).toBe(200)
  },

  'messages and logs do not contain the configuration': async (channel) => {
    const secrets = Object.entries(channel.standIn.configuration)
      .filter(([key]) => /token|secret|password|key/i.test(key))
      .map(([, value]) => String(value))
    expect(secrets.length).toBeGreaterThan(0)
    const period = 'timeStart=2020-01-01T00:00:00Z&timeEnd=2100-01-01T00:00:00Z'
    const logs = await read(
      channel,
      `/v1/admin/bots/${channel.scene.botId}/logs?${period}`,
    )
    const all = JSON.stringify([await channel.messages(), logs])
    for (const secret of secrets) expect(all).not.toContain(secret)
  },
}

const picture = 'https://example.org/picture.png'
const payloads: Record<MessageType, Json> = {
  text: { text: 'A text' },
  image: { imageUrl: picture },
  audio: { audioUrl: 'https://example.org/note.ogg' },
  video: { videoUrl: 'https://example.org/film.mp4' },
  file: { fileUrl: 'https://example.org/prices.pdf', title: 'Prices' },
  location: { latitude: 48.1, longitude: 11.5, title: 'Shop' },
  choice: { text: 'Which size?', options },
  dropdown: { text: 'Which size?', options },
  card: { title: 'Stone', actions: [{ action: 'postback', label: 'Order', value: 'o' }] },
  carousel: {
    items: ['One', 'Two'].map((title) => ({
      title,
      actions: [{ action: 'postback', label: `Order ${title}`, value: title }],
    })),
  },
}

function toShownAs(shown: Shown[]): ShownAs {
  const text = shown.map((one) => one.text ?? '').join('\n')
  if (shown.some(({ media }) => media)) return 'file'
  if (shown.some(({ location }) => location)) return 'place'
  if (shown.some(({ buttons }) => buttons?.length)) return 'buttons'
  if (/^1[.)] /m.test(text)) return 'numbers'
  return /https?:/.test(text) ? 'link' : 'text'
}

/** Sends a message of each type, and compares what arrives with the definition of the channel. */
async function showMessages(channel: ChannelScene): Promise<void> {
  const { standIn, alias } = channel
  await standIn.say('Show me everything')
  await arrived(channel, says('Show me everything'))
  const observed: [string, ShownAs][] = []
  for (const type of messageTypes) {
    const before = standIn.shown().length
    await channel.send(type, payloads[type])
    await channel.send('text', { text: `After the ${type}` })
    await until(() => standIn.shown().at(-1)?.text === `After the ${type}`)
    observed.push([type, toShownAs(standIn.shown().slice(before, -1))])
  }
  expect(Object.fromEntries(observed)).toEqual(
    channels.find(({ name }) => name === alias)?.shows,
  )
}

async function receivePicture({ standIn, scene, ...rest }: ChannelScene): Promise<void> {
  const channel = { standIn, scene, ...rest }
  await standIn.sendPicture?.(Buffer.from('not really a picture'), 'Look at this')
  const isPicture = ({ type, direction }: Json) =>
    type === 'image' && direction === 'incoming'
  const [message] = await arrived(channel, isPicture)
  const url = String(message?.payload.imageUrl)
  expect(url.startsWith(scene.app.address.api)).toBe(true)
  expect(await (await fetch(url)).text()).toBe('not really a picture')
  await arrived(channel, says('Look at this'))
}

/** Runs the cases. A stand-in without `sendPicture` or `press` is of a provider without pictures or buttons. */
export function describeChannel(name: string, openStandIn: () => Promise<StandIn>): void {
  let channel: ChannelScene
  beforeAll(async () => {
    channel = await openChannelScene(name, openStandIn)
  })
  afterAll(() => channel?.close())

  const cases = { ...incoming, ...outgoing, ...failures, ...others }
  test.each(Object.entries(cases))('%s', (_, run) => run(channel))

  test('shows each type of message as its definition says', () => showMessages(channel))

  test('a picture arrives as a file of this server', ({ skip }) =>
    channel.standIn.sendPicture
      ? receivePicture(channel)
      : skip('the provider has no pictures'))
}
