// A stand-in of LINE's Messaging API, from its public documentation
// (https://developers.line.biz/en/reference/messaging-api/).
import { createHmac } from 'node:crypto'
import type { messagingApi, webhook } from '@line/bot-sdk'
import {
  type Answer,
  type Failure,
  type Given,
  type Json,
  type ReceivedCall,
  type Shown,
  type StandIn,
  serve,
} from './stand-in.ts'

const channelAccessToken = 'stand-in-channel-access-token'
const channelSecret = 'stand-in-channel-secret'
export const personId = 'U4af4980629'
export const destination = 'Ub1234567890'

type GivenMessage = Given<webhook.MessageContent, 'id' | 'quoteToken' | 'contentProvider'>
type GivenEvent = Given<
  webhook.Event,
  Exclude<keyof webhook.EventBase, 'type'> | 'replyToken'
>

const quotable = ['text', 'image', 'video', 'sticker']
const withFile = ['image', 'audio', 'video']

const fail = (status: number, message: string): Answer => ({
  status,
  json: { message } satisfies messagingApi.ErrorResponse,
})

const failed: Record<Failure, Answer> = {
  limited: fail(429, 'The API rate limit has been exceeded. Try again later.'),
  rejected: fail(429, 'You have reached your monthly limit.'),
  unavailable: fail(500, 'Internal server error'),
  credentials: fail(401, 'Authentication failed'),
}

export async function openLine(more: Record<string, unknown> = {}): Promise<Line> {
  const line = new Line()
  await line.open(more)
  return line
}

export class Line implements StandIn {
  configuration: Record<string, unknown> = {}
  /** What the person sees. */
  readonly messages: Json[] = []
  readonly calls: { path: string; headers: ReceivedCall['headers']; body: Json }[] = []
  /** Whether "Use webhook" is on. */
  isActive = true
  /** The address that the bot has set. */
  endpoint = ''
  /** LINE sends the next messages, and its answer is lost. */
  loseNext = false
  readonly #failures: Failure[] = []
  readonly #files = new Map<string, Buffer>()
  readonly #tokens = new Set<string>()
  readonly #accepted = new Map<string, Json>()
  #webhook = ''
  #last: Json | null = null
  #next = 1
  #close = async () => {}

  async open(more: Record<string, unknown>) {
    const server = await serve((call) => this.#answer(call))
    this.configuration = {
      channelAccessToken,
      channelSecret,
      apiUrl: server.url,
      ...more,
    }
    this.#close = server.close
  }

  setWebhook(url: string) {
    this.#webhook = url
  }

  async say(text: string) {
    await this.receive({ type: 'text', text })
  }

  async sendPicture(bytes: Buffer, caption: string) {
    await this.receive({ type: 'image', id: this.addFile(bytes) })
    await this.say(caption)
  }

  addFile(bytes: Buffer): string {
    const id = String(500_000 + this.#next++)
    this.#files.set(id, bytes)
    return id
  }

  async press(label: string) {
    const found = this.messages
      .flatMap(readActions)
      .findLast((action) => action.label === label)
    await this.notify({ type: 'postback', postback: { data: found?.data } })
  }

  receive(message: GivenMessage) {
    return this.notify({ type: 'message', message: this.toMessage(message) })
  }

  toMessage(message: GivenMessage): webhook.MessageContent {
    const id = String(this.#next++)
    return {
      id,
      ...(quotable.includes(message.type) && { quoteToken: `quote${id}` }),
      ...(withFile.includes(message.type) && { contentProvider: { type: 'line' } }),
      ...message,
    } as webhook.MessageContent
  }

  /** Sends events in one request. */
  notify(...events: GivenEvent[]) {
    const request: webhook.CallbackRequest = {
      destination,
      events: events.map((event) => this.#complete(event)),
    }
    return this.post(request)
  }

  #complete(event: GivenEvent): webhook.Event {
    const base: Omit<webhook.EventBase, 'type'> = {
      mode: 'active',
      timestamp: Date.now(),
      source: { type: 'user', userId: personId },
      webhookEventId: `01H${this.#next++}`,
      deliveryContext: { isRedelivery: false },
    }
    if (event.type === 'unsend') return { ...base, ...event }
    const replyToken = `token${this.#next++}`
    this.#tokens.add(replyToken)
    return { ...base, replyToken, ...event } as webhook.Event
  }

  async post(content: Json, signature?: string | null): Promise<Response> {
    this.#last = content
    const body = JSON.stringify(content)
    const right = createHmac('sha256', channelSecret).update(body).digest('base64')
    const signed = signature === undefined ? right : signature
    const headers = {
      'content-type': 'application/json',
      ...(signed !== null && { 'x-line-signature': signed }),
    }
    return fetch(this.#webhook, { method: 'POST', headers, body })
  }

  async repeat() {
    if (this.#last) await this.post(this.#last)
  }

  shown = () => this.messages.map(readShown)
  failNext = (failure: Failure) => void this.#failures.push(failure)
  close = () => this.#close()

  #answer({ path, headers, body: bytes }: ReceivedCall): Answer {
    if (headers.authorization !== `Bearer ${channelAccessToken}`)
      return fail(401, 'Authentication failed. Confirm that the access token is valid.')
    const body = bytes.length > 0 ? JSON.parse(bytes.toString()) : {}
    this.calls.push({ path, headers, body })
    const content = /^\/v2\/bot\/message\/(\d+)\/content$/.exec(path)
    const file = content && this.#files.get(content[1]!)
    if (file) return { body: file, headers: { 'content-type': 'image/jpeg' } }
    return this.#operations[path]?.({ body, headers }) ?? fail(404, 'Not found')
  }

  readonly #operations: Record<string, (call: { body: Json; headers: Json }) => Answer> =
    {
      '/v2/bot/info': () => ({
        json: {
          userId: destination,
          basicId: '@216ru',
          displayName: 'Bot',
          chatMode: 'bot',
          markAsReadMode: 'auto',
        } satisfies messagingApi.BotInfoResponse,
      }),
      '/v2/bot/channel/webhook/endpoint': ({ body }) => {
        if (body.endpoint) this.endpoint = body.endpoint
        const { endpoint, isActive: active } = this
        return {
          json: { endpoint, active } satisfies messagingApi.GetWebhookEndpointResponse,
        }
      },
      [`/v2/bot/profile/${personId}`]: () => ({
        json: {
          displayName: 'Ana',
          userId: personId,
        } satisfies messagingApi.UserProfileResponse,
      }),
      '/v2/bot/chat/loading/start': () => ({ status: 202, json: {} }),
      '/v2/bot/message/reply': ({ body }) =>
        this.#failure() ??
        (this.#tokens.delete(body.replyToken)
          ? this.#send(body.messages)
          : fail(400, 'Invalid reply token')),
      '/v2/bot/message/push': ({ body, headers }) =>
        this.#push(body, headers['x-line-retry-key']),
    }

  #failure = () => {
    const failure = this.#failures.shift()
    return failure && failed[failure]
  }

  #push({ to, messages }: Json, key: string): Answer {
    const failure = this.#failure()
    if (failure) return failure
    if (to !== personId)
      return fail(400, "The property, 'to', in the request body is invalid")
    const before = this.#accepted.get(key)
    if (before) return { status: 409, json: { message: 'already accepted', ...before } }
    const sent = this.#send(messages)
    if (!sent.status) this.#accepted.set(key, sent.json as Json)
    return sent
  }

  #send(messages: Json[]): Answer {
    if (messages.length > 5 || messages.some(isBroken))
      return fail(400, 'The request body has 1 error(s)')
    const sent = messages.map((message) => ({ id: String(this.#next++), ...message }))
    this.messages.push(...sent)
    if (this.loseNext) {
      this.loseNext = false
      return failed.unavailable
    }
    const sentMessages = sent.map(({ id }) => ({ id, quoteToken: `quote${id}` }))
    return { json: { sentMessages } satisfies messagingApi.PushMessageResponse }
  }
}

/** The limits of the documentation. */
function isBroken({
  type,
  text,
  quickReply,
  originalContentUrl,
  contents,
  altText,
}: Json): boolean {
  if (type === 'text' && (!text || text.length > 5_000)) return true
  if (type === 'flex' && (!altText || (contents.contents?.length ?? 0) > 12)) return true
  if (originalContentUrl !== undefined && !originalContentUrl.startsWith('https://'))
    return true
  const items: Json[] = quickReply?.items ?? []
  return items.length > 13 || items.some(({ action }) => action.label.length > 20)
}

const readBubbles = ({ contents }: Json): Json[] =>
  contents?.contents ?? (contents ? [contents] : [])

const readActions = (message: Json): Json[] => [
  ...(message.quickReply?.items ?? []).map(({ action }: Json) => action),
  ...readBubbles(message).flatMap(({ footer }) =>
    (footer?.contents ?? []).map(({ action }: Json) => action),
  ),
]

function readShown(message: Json): Shown {
  const buttons = readActions(message).map(({ label, uri }) => ({
    label,
    ...(uri && { url: uri }),
  }))
  const texts = readBubbles(message).flatMap(({ body }) =>
    body.contents.map(({ text }: Json) => text),
  )
  const text = message.text ?? texts.join('\n')
  const { originalContentUrl: url, type, latitude, longitude } = message
  return {
    ...(text && { text }),
    ...(buttons.length > 0 && { buttons }),
    ...(url && { media: { kind: type, url } }),
    ...(type === 'location' && { location: { latitude, longitude } }),
  }
}
