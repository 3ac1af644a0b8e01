// A stand-in of Telegram's Bot API, from its public documentation (https://core.telegram.org/bots/api).
import type { ApiMethods, Chat, Message, Update, User } from '@grammyjs/types'
import {
  type Answer,
  type Failure,
  type FormValue,
  type Json,
  type ReceivedCall,
  readForm,
  type Shown,
  type StandIn,
  serve,
} from './stand-in.ts'

const name = { first_name: 'Ana', last_name: 'Pop', username: 'ana' }
export const person: User = { id: 7001, is_bot: false, ...name }
export const chat: Chat.PrivateChat = { id: 7001, type: 'private', ...name }
/** In seconds since 1970. */
const date = 1_700_000_000
const sendingMethods = /^send(?!ChatAction)/

type Method = keyof ApiMethods<unknown>
type Result<Name extends Method> = ReturnType<ApiMethods<unknown>[Name]>

const ok = (result: unknown): Answer => ({ json: { ok: true, result } })
const fail = (status: number, description: string, parameters?: Json): Answer => ({
  status,
  json: { ok: false, error_code: status, description, ...(parameters && { parameters }) },
})

const failed: Record<Failure, Answer> = {
  limited: fail(429, 'Too Many Requests: retry after 1', { retry_after: 1 }),
  rejected: fail(403, 'Forbidden: bot was blocked by the user'),
  unavailable: fail(502, 'Bad Gateway'),
  credentials: fail(401, 'Unauthorized'),
}

const bot: Result<'getMe'> = {
  id: 110201543,
  is_bot: true,
  first_name: 'Bot',
  username: 'stand_in_bot',
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  can_manage_bots: false,
  supports_join_request_queries: false,
}

export async function openTelegram({
  token = '110201543:stand-in',
} = {}): Promise<Telegram> {
  const telegram = new Telegram(token)
  await telegram.open()
  return telegram
}

export class Telegram implements StandIn {
  configuration: Record<string, unknown> = {}
  /** Calls of the bot by their methods. */
  readonly calls: { method: string; parameters: Json }[] = []
  readonly #token: string
  readonly #files = new Map<string, Buffer>()
  readonly #failures: Failure[] = []
  readonly #messages: Json[] = []
  #nextUpdate = 1
  #nextMessage = 1
  #pending: Update[] = []
  #waiting: (() => void)[] = []
  webhook: { url: string; secret_token?: string } | null = null
  #last: Update | null = null
  #isRevoked = false
  #close = async () => {}

  constructor(token: string) {
    this.#token = token
  }

  async open() {
    const server = await serve((call) => this.#answer(call))
    this.configuration = { botToken: this.#token, apiUrl: server.url }
    this.#close = server.close
  }

  /** Delivers an update that Telegram would make. */
  update(content: Omit<Update, 'update_id'>) {
    return this.#deliver({ update_id: this.#nextUpdate++, ...content })
  }

  say(text: string) {
    return this.receive({ text })
  }

  async sendPicture(bytes: Buffer, caption: string) {
    const id = this.addFile(bytes)
    const sizes = [{ file_id: id, file_unique_id: `u${id}`, width: 10, height: 10 }]
    await this.receive({ photo: sizes, caption })
  }

  /** Returns the id of a file that `getFile` gives. */
  addFile(bytes: Buffer): string {
    const id = `file${this.#files.size + 1}`
    this.#files.set(id, bytes)
    return id
  }

  /** The person sends a message with these fields. */
  receive(content: Partial<Message & Update.NonChannel>) {
    const message_id = this.#nextMessage++
    return this.update({ message: { message_id, from: person, chat, date, ...content } })
  }

  async press(label: string) {
    const has = (one: Json) => readButtons(one).some(({ text }) => text === label)
    const message = this.#messages.findLast(has) as Message
    const button = readButtons(message ?? {}).find(({ text }) => text === label)
    const id = `q${this.#nextUpdate}`
    const data = button?.callback_data
    const query = { id, from: person, message, chat_instance: 'i7001', data }
    await this.update({ callback_query: query })
  }

  async repeat() {
    if (this.#last) await this.#deliver(this.#last)
  }

  shown = () => this.#messages.map(readShown)
  failNext = (failure: Failure) => void this.#failures.push(failure)

  /** The token is not valid any more. */
  revoke(isRevoked = true) {
    this.#isRevoked = isRevoked
    this.cut()
  }

  /** Ends all waiting calls, as a network that breaks. */
  cut() {
    for (const wake of this.#waiting) wake()
    this.#waiting = []
  }

  async close() {
    this.cut()
    await this.#close()
  }

  async #deliver(update: Update) {
    this.#last = update
    if (!this.webhook) {
      this.#pending.push(update)
      return this.cut()
    }
    const { url, secret_token } = this.webhook
    const secret = secret_token && { 'x-telegram-bot-api-secret-token': secret_token }
    const headers = { 'content-type': 'application/json', ...secret }
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(update) })
  }

  async #answer(call: ReceivedCall): Promise<Answer> {
    const file = new RegExp(`^/file/bot${this.#token}/photos/(\\w+)\\.jpg$`).exec(
      call.path,
    )
    const content = file && this.#files.get(file[1] ?? '')
    if (content) return { body: content, headers: { 'content-type': 'image/jpeg' } }
    const method = new RegExp(`^/bot${this.#token}/(\\w+)$`).exec(call.path)?.[1]
    if (method === undefined) return fail(404, 'Not Found')
    if (this.#isRevoked) return failed.credentials
    const parameters = await readParameters(call)
    this.calls.push({ method, parameters })
    if (!sendingMethods.test(method))
      return this.#methods[method]?.(parameters) ?? fail(404, 'Not Found')
    const failure = this.#failures.shift()
    return failure ? failed[failure] : this.#send(method, parameters)
  }

  readonly #methods: Record<string, (parameters: Json) => Promise<Answer> | Answer> = {
    getMe: () => ok(bot),
    setWebhook: (parameters) => {
      this.webhook = parameters as { url: string }
      return ok(true)
    },
    deleteWebhook: () => {
      this.webhook = null
      return ok(true)
    },
    getWebhookInfo: () =>
      ok({
        url: this.webhook?.url ?? '',
        has_custom_certificate: false,
        pending_update_count: 0,
      } satisfies Result<'getWebhookInfo'>),
    getUpdates: (parameters) => this.#getUpdates(parameters),
    answerCallbackQuery: () => ok(true),
    sendChatAction: () => ok(true),
    getFile: ({ file_id }) =>
      this.#files.has(file_id)
        ? ok({
            file_id,
            file_unique_id: `u${file_id}`,
            file_path: `photos/${file_id}.jpg`,
          } satisfies Result<'getFile'>)
        : fail(400, 'Bad Request: file is too big'),
  }

  async #getUpdates({ offset, timeout = 0 }: Json): Promise<Answer> {
    if (this.webhook)
      return fail(409, "Conflict: can't use getUpdates method while webhook is active")
    const isNew = ({ update_id }: Update) => offset === undefined || update_id >= offset
    this.#pending = this.#pending.filter(isNew)
    if (this.#pending.length === 0 && timeout > 0)
      await Promise.race([
        new Promise<void>((resolve) => this.#waiting.push(resolve)),
        new Promise((resolve) =>
          setTimeout(resolve, Math.min(timeout, 2) * 1_000).unref(),
        ),
      ])
    return ok(this.#pending)
  }

  #send(method: string, parameters: Json): Answer {
    if (Number(parameters.chat_id) !== chat.id)
      return fail(400, 'Bad Request: chat not found')
    if (method === 'sendMessage' && String(parameters.text).length > 4_096)
      return fail(400, 'Bad Request: message is too long')
    if (
      readButtons(parameters).some(
        ({ callback_data = '' }) => Buffer.byteLength(callback_data) > 64,
      )
    )
      return fail(400, 'Bad Request: BUTTON_DATA_INVALID')
    const sent = { message_id: this.#nextMessage++, chat, date, ...parameters }
    this.#messages.push(sent)
    return ok(sent)
  }
}

async function readParameters(call: ReceivedCall): Promise<Json> {
  if (!/multipart/.test(call.headers['content-type'] ?? ''))
    return call.body.length > 0 ? JSON.parse(call.body.toString()) : {}
  const values = Object.entries(await readForm(call))
  return Object.fromEntries(values.map(([name, value]) => [name, parsed(value)]))
}

/** Telegram reads objects in forms as JSON. */
function parsed(value: FormValue): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  return JSON.parse(value)
}

const readButtons = ({ reply_markup }: Json): Json[] =>
  reply_markup?.inline_keyboard?.flat() ?? []

const mediaKinds = {
  photo: 'image',
  audio: 'audio',
  voice: 'voice',
  video: 'video',
  document: 'file',
} as const

function readShown(message: Json): Shown {
  const toButton = ({ text, url }: Json) => ({ label: text, ...(url && { url }) })
  const buttons = readButtons(message).map(toButton)
  const text = message.text ?? message.caption
  const fields = Object.keys(mediaKinds) as (keyof typeof mediaKinds)[]
  const field = fields.find((name) => message[name])
  const value = field && message[field]
  const content = typeof value === 'string' ? { url: value } : { bytes: value?.bytes }
  const { latitude, longitude } = message
  return {
    ...(text && { text }),
    ...(buttons.length > 0 && { buttons }),
    ...(field && { media: { kind: mediaKinds[field], ...content } }),
    ...(latitude !== undefined && { location: { latitude, longitude } }),
  }
}
