// What channels send to their providers, against the types that these or their communities publish:
// @grammyjs/types (Telegram), discord-api-types, @slack/types, @line/bot-sdk, botframework-schema and
// @microsoft/teams.cards (Teams), and @maxim_mazurok/gapi.client.chat-v1 (Google Chat, from Google's own
// description).
import { generateKeyPairSync } from 'node:crypto'
import { type ChannelEntry, type Context, channels, type Host } from '@botstead/channels'
import { expect, test } from 'vitest'
import { findMistyped, type TypedValue } from '../support/typescript-literals.ts'
import { type Json, type ReceivedCall, readForm } from './stand-in.ts'

const picture = 'https://example.org/picture.png'
const own = 'https://bots.example.org/files/own.png'
const options = ['Small', 'Large'].map((label, i) => ({ label, value: `size-${i}` }))
const actions = [
  { action: 'postback', label: 'Order', value: 'order-1' },
  { action: 'say', label: 'Tell me more', value: 'more' },
  { action: 'url', label: 'Open', value: 'https://example.org/stone' },
]
const card = { title: 'Stone', subtitle: 'Cordierite', imageUrl: picture, actions }
const markdown = [
  '**bold** *italic* ~~gone~~ `code` [link](https://example.org)',
  '```js\nlet a\n```',
  '> quote\n> more',
  '- one\n- two',
].join('\n\n')

/** Messages of each type, some with what changes their conversion. */
const messages: [string, Json][] = [
  ['text', { text: 'Hello ☕ <b>' }],
  ['text', { text: 'A long sentence. '.repeat(600) }],
  ['markdown', { markdown }],
  ['image', { imageUrl: picture, caption: 'A picture' }],
  ['image', { imageUrl: own }],
  ['audio', { audioUrl: 'https://example.org/song.mp3' }],
  ['audio', { audioUrl: 'https://example.org/note.ogg', duration: 3_000 }],
  ['video', { videoUrl: 'https://example.org/film.mp4' }],
  ['file', { fileUrl: 'https://example.org/prices.pdf', title: 'Prices' }],
  ['location', { latitude: 48.1, longitude: 11.5 }],
  ['location', { latitude: 48.1, longitude: 11.5, title: 'Shop', address: 'Street 1' }],
  ['choice', { text: 'Which size?', options }],
  ['dropdown', { text: 'Which size?', options }],
  ['dropdown', { text: 'Which size?', options: [] }],
  ['card', card],
  ['card', { title: 'Only a title', actions: [] }],
  ['card', { ...card, imageUrl: own }],
  ['carousel', { items: [card, { ...card, title: 'Another one' }] }],
  [
    'bloc',
    {
      items: [
        { type: 'text', payload: { text: 'First' } },
        { type: 'card', payload: card },
      ],
    },
  ],
]

/** Conversation tags and configuration of any provider. */
const tags = {
  id: 'C7001',
  chatId: '7001',
  topicId: '5',
  space: 'spaces/7001',
  serviceUrl: 'https://smba.trafficmanager.net/emea',
  usrId: 'U7001',
  thread: '1700000000.000001',
}
const account = generateKeyPairSync('rsa', { modulusLength: 2048 })
const configuration = {
  appId: 'app',
  appPassword: 'password',
  tenantId: 'tenant',
  serviceAccountKey: JSON.stringify({
    client_email: 'bot@project.iam.gserviceaccount.com',
    private_key: account.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }),
  botToken: '110201543:stand-in',
  channelAccessToken: 'token',
  botName: 'Shop',
  botAvatarUrl: picture,
}

interface Provider {
  imports: string
  /** Returns the type of a body; null for a call without one. */
  toType(path: string): string | null
  answer: Json
}

const providers: Record<string, Provider> = {
  telegram: {
    imports: "import type { Opts } from '@grammyjs/types'",
    toType: (path) =>
      `Opts<{ name: string; bytes: number }>['${path.split('/').at(-1)}']`,
    answer: { ok: true, result: { message_id: 1, chat: { id: 7001 } } },
  },
  discord: {
    // A literal has no values of enumerations.
    imports: `
      import type { RESTPostAPIChannelMessageJSONBody } from 'discord-api-types/v10'
      type PlainFields<T> = { [Key in keyof T]: Plain<T[Key]> }
      type Plain<T> = T extends string ? \`\${T}\` : T extends object ? PlainFields<T> : T`,
    toType: () => 'Plain<RESTPostAPIChannelMessageJSONBody>',
    answer: { id: '1', channel_id: '7001' },
  },
  slack: {
    imports: `
      import type { KnownBlock } from '@slack/types'
      interface chat_postMessage {
        channel: string
        text: string
        thread_ts?: string
        username?: string
        icon_url?: string
        blocks?: KnownBlock[]
      }`,
    toType: (path) => (path.endsWith('/chat.postMessage') ? 'chat_postMessage' : null),
    answer: {
      ok: true,
      ts: '1',
      channel: 'C1',
      upload_url: 'https://slack.com/up',
      file_id: 'F1',
    },
  },
  line: {
    imports: "import type { messagingApi } from '@line/bot-sdk'",
    toType: (path) =>
      `messagingApi.${path.endsWith('/reply') ? 'ReplyMessageRequest' : 'PushMessageRequest'}`,
    answer: { sentMessages: [] },
  },
  teams: {
    // Contents of attachments have the type "any", and pictures would need a description.
    imports: `
      import type { Activity, CardAction, CardImage, HeroCard } from 'botframework-schema'
      import type { IAdaptiveCard } from '@microsoft/teams.cards'
      interface Hero extends Partial<Omit<HeroCard, 'images' | 'buttons'>> {
        images?: Partial<CardImage>[]
        buttons?: CardAction[]
      }
      type Attached =
        | { contentType: 'application/vnd.microsoft.card.hero'; content: Hero }
        | { contentType: 'application/vnd.microsoft.card.adaptive'; content: IAdaptiveCard }
        | { contentType: 'image/*'; contentUrl: string }
      interface Sent extends Partial<Omit<Activity, 'attachments'>> {
        attachments?: Attached[]
      }`,
    toType: (path) => (path.endsWith('/token') ? null : 'Sent'),
    answer: { access_token: 'token', expires_in: 3600, id: '1' },
  },
  googlechat: {
    // It declares a global namespace.
    imports: '/// <reference types="@maxim_mazurok/gapi.client.chat-v1" />',
    toType: (path) => (path.endsWith('/token') ? null : 'gapi.client.chat.Message'),
    answer: { access_token: 'token', expires_in: 3600, name: 'spaces/7001/messages/1' },
  },
}

/** Converts a message as the channel does before it sends it. Returns the bodies of the calls. */
async function send(
  name: string,
  [type, payload]: [string, Json],
): Promise<TypedValue[]> {
  const { load } = channels.find((one) => one.name === name) as ChannelEntry
  const { toType, answer } = providers[name]!
  const sent: TypedValue[] = []
  const request: Context['request'] = async (url, { headers = {}, body } = {}) => {
    const path = new URL(url).pathname
    const bodyType = toType(path)
    if (bodyType && body !== undefined) {
      const value = await readBody({
        method: 'POST',
        path,
        headers,
        body: Buffer.from(body),
      })
      sent.push({ name: `${type} by ${path}`, type: bodyType, value })
    }
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) }
  }
  const file = {
    name: 'own.png',
    contentType: 'image/png',
    content: Buffer.from('picture'),
  }
  const host: Partial<Host> = { readFile: async (url) => (url === own ? file : null) }
  const installation = { alias: name } as Context['installation']
  const context: Partial<Context> = {
    installation,
    configuration,
    request,
    host: host as Host,
  }
  const message = {
    id: 'm1',
    type,
    payload,
    sentParts: 0,
    conversation: { id: 'c1', channel: 'dm', tags },
  }
  const channel = await load()
  for await (const _ of channel.send(context as Context, message));
  return sent
}

/** Reads JSON, and forms, whose values that are no text are JSON. */
async function readBody(call: ReceivedCall): Promise<Json> {
  const contentType = call.headers['content-type'] ?? ''
  if (contentType === 'application/json') return JSON.parse(call.body.toString())
  const fields: Json = /multipart/.test(contentType)
    ? await readForm(call)
    : Object.fromEntries(new URLSearchParams(call.body.toString()))
  if ('payload_json' in fields) return JSON.parse(fields.payload_json)
  const parse = (value: unknown) =>
    typeof value === 'string' && /^(?:[[{]|-?\d+$)/.test(value)
      ? JSON.parse(value)
      : value
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, parse(value)]),
  )
}

test.each(Object.keys(providers))('%s admits what its channel sends', async (name) => {
  const sent: TypedValue[] = []
  for (const message of messages) sent.push(...(await send(name, message)))
  expect(sent.length).toBeGreaterThanOrEqual(messages.length - 3)
  const [{ type, value }] = sent as [TypedValue & { value: Json }]
  // Otherwise, types that the compiler does not find would admit anything.
  const broken = { name: 'broken', type, value: { ...value, unknown_field: 1 } }
  const problems = await findMistyped(providers[name]!.imports, [...sent, broken])
  expect(problems).toEqual([expect.stringMatching(/^broken: .*unknown_field/)])
})
