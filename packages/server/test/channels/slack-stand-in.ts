// A stand-in of Slack, from its public documentation (https://docs.slack.dev): Web API, Socket Mode, and
// signed requests.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type {
  ChannelJoinMessageEvent,
  FileShareMessageEvent,
  GenericMessageEvent,
  RichTextBlock,
  RichTextSection,
  SlackEvent,
} from '@slack/types'
import { type WebSocket, WebSocketServer } from 'ws'
import { checkBlocks, readButtons, readShown } from './slack-blocks.ts'
import {
  type Answer,
  type Failure,
  type Given,
  type Json,
  type ReceivedCall,
  type StandIn,
  serve,
} from './stand-in.ts'

export const person = 'U7001PERSON'
export const bot = 'U7002BOT'
export const dm = 'D7001'
const botId = 'B7002'
const channels = [dm, 'C7001', 'C7002']

type Said = GenericMessageEvent | FileShareMessageEvent | ChannelJoinMessageEvent
type SlackFile = NonNullable<FileShareMessageEvent['files']>[number]

/** Returns a message of the person with these fields. */
export const toMessage = (
  fields: Pick<GenericMessageEvent, 'ts'> & Partial<GenericMessageEvent>,
): GenericMessageEvent => ({
  type: 'message',
  subtype: undefined,
  user: person,
  channel: dm,
  channel_type: fields.channel?.startsWith('C') ? 'channel' : 'im',
  event_ts: fields.ts,
  ...fields,
})

/** Returns a file of the person with these fields. */
export const toFile = (
  fields: Pick<SlackFile, 'id'> & Partial<SlackFile>,
): SlackFile => ({
  created: 1_700_000_000,
  name: 'file',
  title: null,
  mimetype: 'application/octet-stream',
  filetype: 'binary',
  pretty_type: 'Binary',
  user: person,
  editable: false,
  size: 1,
  mode: 'hosted',
  is_external: false,
  external_type: '',
  is_public: false,
  public_url_shared: false,
  display_as_bot: false,
  username: '',
  permalink: `https://example.slack.com/files/${person}/${fields.id}/file`,
  channels: [],
  groups: [],
  ...fields,
})

const ok = (result: Json = {}): Answer => ({ json: { ok: true, ...result } })
const fail = (error: string, more: Json = {}): Answer => ({
  json: { ok: false, error, ...more },
})

const failed: Record<Failure, Answer> = {
  limited: { ...fail('ratelimited'), status: 429, headers: { 'retry-after': '1' } },
  rejected: fail('is_archived'),
  unavailable: { ...fail('internal_error'), status: 503 },
  credentials: fail('invalid_auth'),
}

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export async function openSlack(): Promise<Slack> {
  const slack = new Slack()
  await slack.open()
  return slack
}

export class Slack implements StandIn {
  configuration: Record<string, unknown> = {}
  /** Calls of the bot by their methods. */
  readonly calls: { method: string; parameters: Json }[] = []
  readonly files = new Map<string, Buffer>()
  /** Of the bot's token. */
  scopes = 'chat:write,im:history,users:read'
  isSocketModeOn = true
  /** Of the bot's token. */
  appId = 'A7003'
  /** Envelopes that were acknowledged. */
  readonly acknowledged: string[] = []
  url = ''
  socketUrl = ''
  webhook = ''
  #sockets: WebSocketServer | null = null
  #connected: WebSocket[] = []
  /** Not acknowledged, in order. */
  readonly #pending = new Map<string, Json>()
  readonly #failures: Failure[] = []
  readonly #messages: Json[] = []
  #next = 1
  #last: Json | null = null
  #close = async () => {}

  async open() {
    const server = await serve((call) => this.#answer(call))
    this.#sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(this.#sockets, 'listening')
    this.socketUrl = `ws://127.0.0.1:${(this.#sockets.address() as AddressInfo).port}`
    this.#sockets.on('connection', (socket) => this.#connect(socket))
    this.url = server.url
    this.configuration = {
      botToken: 'xoxb-stand-in-bot',
      appToken: `xapp-1-${this.appId}-7004-stand-in`,
      signingSecret: 'stand-in-signing-secret',
      apiUrl: `${server.url}/api`,
    }
    this.#close = server.close
  }

  setWebhook(url: string) {
    if (this.configuration.receiveBy === 'webhook') this.webhook = url
  }

  async say(text: string) {
    await this.receive({
      text: escapeText(text),
      blocks: toRichBlocks([{ type: 'text', text }]),
    })
  }

  async sendPicture(bytes: Buffer, caption: string) {
    const file = this.addFile(bytes, { name: 'picture.jpg', mimetype: 'image/jpeg' })
    await this.receive({ subtype: 'file_share', text: caption, files: [file] })
  }

  addFile(bytes: Buffer, more: Partial<SlackFile>): SlackFile {
    const id = `F${this.files.size + 1}`
    this.files.set(id, bytes)
    const url_private = `${this.url}/files/${id}`
    const urls = { url_private, url_private_download: url_private }
    return toFile({ id, size: bytes.length, ...urls, ...more })
  }

  /** Returns another timestamp, which is the id of a message. */
  toTs = () => `1700000000.${String(this.#next++).padStart(6, '0')}`

  /** The person sends a message with these fields. */
  async receive(content: Partial<Said>): Promise<string> {
    const ts = this.toTs()
    const message = {
      ...toMessage({ ts, channel: content.channel ?? dm }),
      ...content,
    } as Said
    await this.event({ ...message, event_ts: this.toTs() })
    return ts
  }

  event(content: Given<SlackEvent, 'event_ts'>) {
    const event = { event_ts: this.toTs(), ...content }
    const authorizations = [{ team_id: 'T7001', user_id: bot, is_bot: true }]
    const payload = {
      type: 'event_callback',
      api_app_id: this.appId,
      event,
      authorizations,
    }
    return this.#deliver({ type: 'events_api', payload })
  }

  async press(label: string) {
    const has = (one: Json) => readButtons(one).some((button) => button.label === label)
    const message = this.#messages.findLast(has) ?? {}
    const { element } =
      readButtons(message).find((button) => button.label === label) ?? {}
    const payload = {
      type: 'block_actions',
      user: { id: person, username: 'ana' },
      channel: { id: message.channel },
      message: { ts: message.ts, thread_ts: message.thread_ts },
      container: { type: 'message', message_ts: message.ts, channel_id: message.channel },
      actions: [{ ...element, action_ts: this.toTs() }],
    }
    await this.#deliver({ type: 'interactive', payload })
  }

  command(command: string, text: string) {
    const who = {
      user_id: person,
      user_name: 'ana',
      channel_id: dm,
      trigger_id: this.toTs(),
    }
    return this.#deliver({ type: 'slash_commands', payload: { command, text, ...who } })
  }

  async repeat() {
    if (this.#last) await this.#deliver(this.#last)
  }

  shown = () => this.#messages.map(readShown)
  messages = () => this.#messages
  failNext = (failure: Failure) => void this.#failures.push(failure)

  /** Ends all connections, as a network that breaks. */
  cut() {
    for (const socket of this.#connected) socket.terminate()
    this.#connected = []
  }

  /** Asks for another connection, as Slack does every few hours. */
  refresh(reason = 'refresh_requested') {
    for (const socket of this.#connected)
      socket.send(JSON.stringify({ type: 'disconnect', reason }))
    this.#connected = []
  }

  async close() {
    this.cut()
    this.#sockets?.close()
    await this.#close()
  }

  #connect(socket: WebSocket) {
    this.#connected = [socket]
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: 1,
        connection_info: { app_id: this.appId },
      }),
    )
    for (const envelope of this.#pending.values()) socket.send(JSON.stringify(envelope))
    socket.on('message', (data) => {
      const { envelope_id } = JSON.parse(data.toString())
      this.#pending.delete(envelope_id)
      this.acknowledged.push(envelope_id)
    })
  }

  async #deliver(content: Json) {
    this.#last = content
    if (this.webhook) return void (await this.request(toRequest(content)))
    const envelope = {
      ...content,
      envelope_id: `e${this.#next++}`,
      accepts_response_payload: false,
    }
    this.#pending.set(envelope.envelope_id, envelope)
    for (const socket of this.#connected) socket.send(JSON.stringify(envelope))
  }

  /** Makes a request with Slack's signature. */
  request(
    { body, type }: { body: string; type: string },
    { secret = this.configuration.signingSecret, at = Date.now() / 1_000 } = {},
  ): Promise<Response> {
    const timestamp = String(Math.floor(at))
    const hmac = createHmac('sha256', String(secret)).update(`v0:${timestamp}:${body}`)
    const headers = {
      'content-type': type,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${hmac.digest('hex')}`,
    }
    return fetch(this.webhook, { method: 'POST', headers, body })
  }

  #answer({ path, headers, body }: ReceivedCall): Answer {
    const { botToken, appToken } = this.configuration
    const isBot = headers.authorization === `Bearer ${botToken}`
    const [, kind, name = ''] = path.split('/')
    if (kind === 'files') return isBot ? { body: this.files.get(name)! } : { status: 302 }
    if (kind === 'upload') {
      this.files.set(name, body)
      return {}
    }
    const parameters = readParameters(body.toString())
    this.calls.push({ method: name, parameters })
    const expected = name === 'apps.connections.open' ? appToken : botToken
    if (headers.authorization !== `Bearer ${expected}`) return fail('invalid_auth')
    const method = this.#methods[name]
    return method ? method(parameters) : fail('unknown_method')
  }

  readonly #methods: Record<string, (parameters: Json) => Answer> = {
    'auth.test': () => ({
      ...ok({
        user_id: bot,
        bot_id: botId,
        team_id: 'T7001',
        user: 'bot',
        team: 'Bakery',
      }),
      headers: { 'x-oauth-scopes': this.scopes },
    }),
    'bots.info': () => ok({ bot: { id: botId, app_id: this.appId } }),
    'apps.connections.open': () =>
      this.isSocketModeOn
        ? ok({
            url: `${this.socketUrl}/link?ticket=t`,
          })
        : fail('socket_mode_disabled'),
    'users.info': ({ user }) =>
      user === person
        ? ok({
            user: { id: user, real_name: 'Ana Pop', tz: 'Europe/Bucharest', profile: {} },
          })
        : fail('user_not_found'),
    'reactions.add': () => ok(),
    'reactions.remove': () => fail('no_reaction'),
    'conversations.setTopic': () => ok(),
    'chat.postMessage': (parameters) => this.#send(parameters),
    'files.getUploadURLExternal': ({ filename, length }) => {
      if (!filename || !(Number(length) > 0)) return fail('invalid_arguments')
      const file_id = `F${this.#next++}`
      return ok({ upload_url: `${this.url}/upload/${file_id}`, file_id })
    },
    'files.completeUploadExternal': ({ files, channel_id, thread_ts }) => {
      const [file] = files as Json[]
      const bytes = this.files.get(file?.id)?.length
      return this.#send({ channel: channel_id, thread_ts, file: { ...file, bytes } })
    },
  }

  #send(parameters: Json): Answer {
    const failure = this.#failures.shift()
    if (failure) return failed[failure]
    const { channel, text = '', blocks = [], file } = parameters
    if (!channels.includes(channel)) return fail('channel_not_found')
    if (text.length > 40_000) return fail('msg_too_long')
    if (!text && blocks.length === 0 && !file) return fail('no_text')
    const wrong = checkBlocks(blocks)
    if (wrong) return fail('invalid_blocks', { response_metadata: { messages: [wrong] } })
    const ts = this.toTs()
    this.#messages.push({ ts, ...parameters })
    return ok({ ts, channel, message: { ts, user: bot, bot_id: botId, text } })
  }
}

export const toRichBlocks = (elements: RichTextSection['elements']): RichTextBlock[] => [
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] },
]

/** Events are JSON; what people press and command is a form. */
function toRequest({ type, payload }: Json): { body: string; type: string } {
  if (type === 'events_api')
    return { body: JSON.stringify(payload), type: 'application/json' }
  const fields = type === 'interactive' ? { payload: JSON.stringify(payload) } : payload
  const body = new URLSearchParams(fields).toString()
  return { body, type: 'application/x-www-form-urlencoded' }
}

/** Slack reads objects in forms as JSON. */
function readParameters(body: string): Json {
  const read = (value: string) => (/^[[{]/.test(value) ? JSON.parse(value) : value)
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([name, value]) => [name, read(value)]),
  )
}
