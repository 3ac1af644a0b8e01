// A stand-in of Discord, from its public documentation (https://discord.com/developers/docs): HTTP API and
// gateway.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  type APIChatInputApplicationCommandInteraction,
  type APIInteraction,
  type APIMessage,
  type APIMessageComponentInteraction,
  type APIUser,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  type GatewayDispatchPayload,
  type GatewayHelloData,
  type GatewayMessageCreateDispatchData,
  type GatewayReadyDispatchData,
  InteractionType,
  Locale,
  MessageType,
} from 'discord-api-types/v10'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  type Answer,
  type Failure,
  type Json,
  type ReceivedCall,
  readForm,
  type Shown,
  type StandIn,
  serve,
} from './stand-in.ts'

export const botId = '700200000000000000'
const applicationId = '700600000000000000'
const commandsPath = `/api/applications/${applicationId}/commands`
const anyUser = { discriminator: '0', global_name: null, avatar: null }
export const person: APIUser = {
  ...anyUser,
  id: '700100000000000000',
  username: 'ana',
  global_name: 'Ana Pop',
}
export const bot: APIUser = { ...anyUser, id: botId, username: 'bot', bot: true }
export const dm = '700300000000000000'
export const guildChannel = {
  channel_id: '700400000000000000',
  guild_id: '700500000000000000',
}
const channels = [dm, guildChannel.channel_id]
/** Where an interaction happens: in a channel of a server, or between the person and the bot. */
interface Place {
  channel_id: string
  guild_id?: string
}
type Pressed = Pick<APIMessageComponentInteraction, 'type' | 'data' | 'message'>
type Entered = Pick<APIChatInputApplicationCommandInteraction, 'type' | 'data'>
type Dispatches = { [One in GatewayDispatchPayload as `${One['t']}`]: One['d'] }

/** Returns a message of the person with these fields. */
export const toMessage = (
  fields: Pick<APIMessage, 'id'> & Partial<GatewayMessageCreateDispatchData>,
): APIMessage & GatewayMessageCreateDispatchData => ({
  channel_id: dm,
  type: MessageType.Default,
  author: person,
  content: '',
  timestamp: '2026-01-01T00:00:00.000000+00:00',
  edited_timestamp: null,
  tts: false,
  mention_everyone: false,
  mentions: [],
  mention_roles: [],
  attachments: [],
  embeds: [],
  pinned: false,
  ...fields,
})

const messageContent = { flag: 1 << 19, intent: 1 << 15 }

const fail = (
  status: number,
  code: number,
  message: string,
  more: Json = {},
): Answer => ({
  status,
  json: { code, message, ...more },
})

const failed: Record<Failure, Answer> = {
  limited: fail(429, 0, 'You are being rate limited.', {
    retry_after: 0.5,
    global: false,
  }),
  rejected: fail(403, 50_013, 'Missing Permissions'),
  unavailable: fail(502, 0, 'Bad Gateway'),
  credentials: fail(401, 0, '401: Unauthorized'),
}

export async function openDiscord(): Promise<Discord> {
  const discord = new Discord()
  await discord.open()
  return discord
}

interface ShardState {
  session: { id: string; events: Json[] }
  socket: WebSocket | null
}

/** Sessions of one remainder begin so far apart, in milliseconds. */
const identifyMs = 5_000

export class Discord implements StandIn {
  configuration: Record<string, unknown> = {}
  readonly calls: { path: string; value: Json }[] = []
  readonly files = new Map<string, Buffer>()
  /** Of the application. */
  flags = messageContent.flag
  heartbeatMs = 41_250
  /** What connections began with: "identify" or "resume". */
  readonly begun: string[] = []
  heartbeats = 0
  url = ''
  /** As many as it recommends. A bot with fewer is rejected. */
  shards = 1
  maxConcurrency = 1
  /** Of the application. */
  commands: Json[] = []
  /** Names of servers with the bot. */
  guilds = ['Bakery']
  /** When sessions began, in milliseconds. */
  readonly identified: { shard: number; at: number }[] = []
  readonly deferred = new Map<string, Json>()
  #gateway: WebSocketServer | null = null
  socketUrl = ''
  #shards: ShardState[] = []
  readonly #failures: Failure[] = []
  readonly #messages: Json[] = []
  #begin = () => {}
  /** Without a session, Discord keeps no events for the bot. */
  readonly #hasBegun = new Promise<void>((resolve) => {
    this.#begin = resolve
  })
  #next = 1
  #repeatLast = async () => {}
  #close = async () => {}

  async open() {
    const server = await serve((call) => this.#answer(call))
    this.#gateway = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(this.#gateway, 'listening')
    this.socketUrl = `ws://127.0.0.1:${(this.#gateway.address() as AddressInfo).port}`
    this.#gateway.on('connection', (socket) => this.#connect(socket))
    this.url = server.url
    const botToken = `${Buffer.from(botId).toString('base64url')}.stand.in`
    this.configuration = { botToken, apiUrl: `${server.url}/api` }
    this.#close = server.close
  }

  toId = () => String(7_010_000_000 + this.#next++)

  async say(text: string) {
    await this.receive({ content: text })
  }

  async sendPicture(bytes: Buffer, caption: string) {
    const id = this.toId()
    this.files.set(id, bytes)
    const file = {
      id,
      filename: 'picture.png',
      content_type: 'image/png',
      size: bytes.length,
    }
    const url = `${this.url}/files/${id}`
    await this.receive({
      content: caption,
      attachments: [{ ...file, url, proxy_url: url }],
    })
  }

  /** The person sends a message with these fields. */
  async receive(content: Partial<GatewayMessageCreateDispatchData>): Promise<string> {
    const id = this.toId()
    await this.dispatch('MESSAGE_CREATE', toMessage({ id, ...content }))
    return id
  }

  press = (label: string) => this.pressIn(label, {})

  async pressIn(label: string, place: Partial<Place>) {
    const has = (one: Json) => readButtons(one).some((button) => button.label === label)
    const message = this.#messages.findLast(has) ?? {}
    const { data } = readButtons(message).find((button) => button.label === label) ?? {}
    const content: Pressed = {
      type: InteractionType.MessageComponent,
      data: data as APIMessageComponentInteraction['data'],
      message: message as APIMessage,
    }
    await this.#interact(content, { channel_id: message.channel_id, ...place })
  }

  /** The person enters a command of the bot. Throws if the bot has none of this name. */
  async command(name: string, words?: string, place: Place = { channel_id: dm }) {
    const known = this.commands.find((one) => one.name === name)
    if (!known) throw new Error(`The bot has no command "${name}"`)
    const content: Entered = {
      type: InteractionType.ApplicationCommand,
      data: {
        id: known.id,
        name,
        type: ApplicationCommandType.ChatInput,
        options:
          words === undefined
            ? []
            : [
                {
                  name: 'words',
                  type: ApplicationCommandOptionType.String,
                  value: words,
                },
              ],
      },
    }
    return this.#interact(content, place)
  }

  /** Returns the token. */
  async #interact(
    content: Pressed | Entered,
    { channel_id, guild_id }: Place,
  ): Promise<string> {
    const token = `interaction-${this.toId()}`
    const member = { user: person, permissions: '0', roles: [], flags: 0 }
    await this.dispatch('INTERACTION_CREATE', {
      id: this.toId(),
      token,
      application_id: applicationId,
      version: 1,
      channel_id,
      channel: {
        id: channel_id,
        type: guild_id ? ChannelType.GuildText : ChannelType.DM,
      },
      app_permissions: '0',
      locale: Locale.EnglishUS,
      entitlements: [],
      authorizing_integration_owners: {},
      attachment_size_limit: 10 * 2 ** 20,
      ...(guild_id ? { guild_id, member } : { user: person }),
      ...content,
    } as APIInteraction)
    return token
  }

  async dispatch<Name extends keyof Dispatches>(t: Name, d: Dispatches[Name]) {
    await this.#hasBegun
    this.#repeatLast = () => this.dispatch(t, d)
    // Direct messages arrive by the first shard.
    const guild = (d as { guild_id?: string }).guild_id
    const index = guild ? Number((BigInt(guild) >> 22n) % BigInt(this.shards)) : 0
    this.#push(index, t, d)
  }

  #push<Name extends keyof Dispatches>(index: number, t: Name, d: Dispatches[Name]) {
    const { session, socket } = this.#shards[index]!
    const event = { op: 0, t, d, s: session.events.length + 1 }
    session.events.push(event)
    socket?.send(JSON.stringify(event))
  }

  async repeat() {
    await this.#repeatLast()
  }

  shown = () => this.#messages.map(readShown)
  messages = () => this.#messages
  failNext = (failure: Failure) => void this.#failures.push(failure)

  /** Ends the connection: as a network that breaks, or with a code. */
  cut(code?: number, shards = this.#shards) {
    for (const shard of shards) {
      if (code === undefined) shard.socket?.terminate()
      else shard.socket?.close(code)
      shard.socket = null
    }
  }

  cutShard(index: number) {
    this.cut(undefined, [this.#shards[index]!])
  }

  /** Asks for other connections. */
  reconnect() {
    for (const shard of this.#shards) {
      shard.socket?.send(JSON.stringify({ op: 7 }))
      shard.socket = null
    }
  }

  /** Forgets the sessions, as after some minutes without a connection. */
  endSession() {
    for (const shard of this.#shards) shard.session = { id: 'ended', events: [] }
  }

  async close() {
    this.cut()
    this.#gateway?.close()
    await this.#close()
  }

  #connect(socket: WebSocket) {
    const d: GatewayHelloData = { heartbeat_interval: this.heartbeatMs }
    const hello = { op: 10, d }
    socket.send(JSON.stringify(hello))
    socket.on('message', (text) => {
      const { op, d } = JSON.parse(text.toString())
      if (op === 2) this.#identify(socket, d)
      else if (op === 6) this.#resume(socket, d)
      else if (op === 1) {
        this.heartbeats++
        socket.send(JSON.stringify({ op: 11 }))
      }
    })
  }

  #identify(socket: WebSocket, { token, intents, shard: [index, count] }: Json) {
    this.begun.push('identify')
    const at = Date.now()
    const key = index % this.maxConcurrency
    const isEarly = this.identified.some(
      (one) => one.shard % this.maxConcurrency === key && at - one.at < identifyMs - 100,
    )
    this.identified.push({ shard: index, at })
    if (count < this.shards) return socket.close(4_011, 'Sharding required.')
    if (isEarly) return socket.send(JSON.stringify({ op: 9, d: false }))
    if (token !== this.configuration.botToken)
      return socket.close(4_004, 'Authentication failed.')
    if (intents & messageContent.intent && !(this.flags & messageContent.flag))
      return socket.close(4_014, 'Disallowed intent(s).')
    const session = { id: `s${this.#next++}`, events: [] }
    this.#shards[index] = { session, socket }
    const d: GatewayReadyDispatchData = {
      v: 10,
      session_id: session.id,
      resume_gateway_url: this.socketUrl,
      user: bot,
      guilds: [],
      application: {
        id: applicationId,
        flags: this.flags,
        flags_new: String(this.flags),
      },
      shard: [index, count],
    }
    this.#push(index, 'READY', d)
    if (this.#shards.filter(Boolean).length === count) this.#begin()
  }

  #resume(socket: WebSocket, { session_id, seq }: Json) {
    this.begun.push('resume')
    const index = this.#shards.findIndex((one) => one?.session.id === session_id)
    const shard = this.#shards[index]
    if (!shard) return socket.send(JSON.stringify({ op: 9, d: false }))
    if (this.#shards.length < this.shards)
      return socket.close(4_011, 'Sharding required.')
    shard.socket = socket
    for (const event of shard.session.events.slice(seq))
      socket.send(JSON.stringify(event))
    this.#push(index, 'RESUMED', undefined)
  }

  async #answer(call: ReceivedCall): Promise<Answer> {
    const { method, path, headers } = call
    const file = this.files.get(path.split('/').at(-1) ?? '')
    if (path.startsWith('/files/') && file) return { body: file }
    const value = await readValue(call)
    this.calls.push({ path, value })
    const interaction = /^\/api\/interactions\/\w+\/([\w-]+)\/callback$/.exec(path)?.[1]
    if (interaction) return this.#acknowledge(interaction, value)
    const webhook =
      /^\/api\/webhooks\/(\w+)\/([\w-]+)(\/messages\/@original|\?wait=true)$/.exec(path)
    if (webhook) return this.#reply(webhook[2]!, method === 'PATCH', value)
    if (headers.authorization !== `Bot ${this.configuration.botToken}`)
      return failed.credentials
    if (path === '/api/applications/@me')
      return { json: { id: applicationId, name: 'Stand-in', flags: this.flags } }
    if (path.startsWith('/api/users/@me/guilds?'))
      return { json: this.guilds.map((name, i) => ({ id: String(i), name })) }
    if (path.startsWith(commandsPath)) return this.#changeCommands(method, path, value)
    if (path === '/api/gateway/bot') {
      const limit = {
        remaining: 900,
        reset_after: 0,
        max_concurrency: this.maxConcurrency,
      }
      return {
        json: { url: this.socketUrl, shards: this.shards, session_start_limit: limit },
      }
    }
    if (path === '/api/users/@me/channels') return { json: { id: dm } }
    const [, channel, action] =
      /^\/api\/channels\/(\w+)\/(messages|typing)$/.exec(path) ?? []
    if (!channel || !channels.includes(channel))
      return fail(404, 10_003, 'Unknown Channel')
    return action === 'typing' ? { status: 204 } : this.#send(channel, value)
  }

  #changeCommands(method: string, path: string, value: Json): Answer {
    if (method === 'GET') return { json: this.commands }
    const id = path.slice(commandsPath.length + 1)
    const isOther = (one: Json) => one.id !== id && one.name !== value.name
    this.commands = this.commands.filter(isOther)
    if (method === 'DELETE') return { status: 204 }
    const { name, description } = value
    if (
      !/^[-_\p{L}\p{N}]{1,32}$/u.test(name) ||
      name !== name.toLowerCase() ||
      !description
    )
      return fail(400, 50_035, 'Invalid Form Body', { errors: 'name or description' })
    const command = { id: this.toId(), ...value }
    this.commands.push(command)
    return { status: 201, json: command }
  }

  #acknowledge(token: string, { type, data }: Json): Answer {
    if (this.deferred.has(token))
      return fail(400, 40_060, 'Interaction has already been acknowledged.')
    this.deferred.set(token, { type, flags: data?.flags ?? 0 })
    return { status: 204 }
  }

  /** The answer of an interaction has the flags of its deferral. */
  #reply(token: string, isFirst: boolean, value: Json): Answer {
    const failure = this.#failures.shift()
    if (failure) return failed[failure]
    const deferral = this.deferred.get(token)
    if (!deferral || deferral.isOver) return fail(404, 10_015, 'Unknown Webhook')
    const flags = isFirst ? deferral.flags : (value.flags ?? 0)
    const former = isFirst && this.#messages.find((one) => one.token === token)
    if (former) return { json: Object.assign(former, value) }
    const message = {
      ...value,
      id: this.toId(),
      channel_id: dm,
      flags,
      ...(isFirst && { token }),
    }
    this.#messages.push(message)
    return { json: message }
  }

  #send(channel_id: string, value: Json): Answer {
    const failure = this.#failures.shift()
    if (failure) return failed[failure]
    const { content = '', nonce, file } = value
    const wrong = checkMessage(value)
    if (wrong) return fail(400, 50_035, 'Invalid Form Body', { errors: wrong })
    if (!content && !file) return fail(400, 50_006, 'Cannot send an empty message')
    const same = this.#messages.find((one) => one.nonce === nonce)
    if (same) return { json: same }
    const message = { id: this.toId(), channel_id, ...value }
    this.#messages.push(message)
    return { json: message }
  }
}

async function readValue(call: ReceivedCall): Promise<Json> {
  if (!/multipart/.test(call.headers['content-type'] ?? ''))
    return call.body.length > 0 ? JSON.parse(call.body.toString()) : {}
  const { payload_json, 'files[0]': file } = await readForm(call)
  return { ...JSON.parse(String(payload_json)), file }
}

/** Returns what Discord would reject; null if nothing. */
function checkMessage({
  content = '',
  components = [],
  nonce = '',
}: Json): string | null {
  if (content.length > 2_000) return 'content: Must be 2000 or fewer in length.'
  if (nonce.length > 25) return 'nonce: Must be 25 or fewer in length.'
  if (components.length > 5) return 'components: Must be 5 or fewer in length.'
  const all = components.flatMap((row: Json) => row.components)
  const [buttons, menus] = [2, 3].map((type) =>
    all.filter((one: Json) => one.type === type),
  )
  if (components.some((row: Json) => row.components.length > 5)) return 'row: at most 5'
  if (buttons?.some(({ label }: Json) => label.length > 80)) return 'label: at most 80'
  if (menus?.some(({ options }: Json) => options.length > 25))
    return 'options: at most 25'
  const ids = all.flatMap(({ custom_id }: Json) => custom_id ?? [])
  if (ids.some((id: string) => id.length > 100)) return 'custom_id: at most 100'
  return new Set(ids).size < ids.length ? 'custom_id: duplicated' : null
}

const readButtons = ({
  components = [],
}: Json): { label: string; url?: string; data: Json }[] =>
  components
    .flatMap((row: Json) => row.components)
    .flatMap(({ label, url, custom_id, options = [], type }: Json) =>
      type === 2
        ? [{ label, url, data: { custom_id, component_type: 2 } }]
        : options.map((option: Json) => ({
            label: option.label,
            data: { custom_id, component_type: 3, values: [option.value] },
          })),
    )

function readShown(message: Json): Shown {
  const { content, file } = message
  const buttons = readButtons(message).map(({ label, url }) => ({
    label,
    ...(url && { url }),
  }))
  return {
    ...(content && { text: content }),
    ...(buttons.length > 0 && { buttons }),
    ...(file && { media: { kind: 'file', bytes: file.bytes } }),
  }
}
