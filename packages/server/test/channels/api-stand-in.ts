// A stand-in of an own app, which signs and checks as Standard Webhooks define it.
import { createHmac, randomBytes } from 'node:crypto'
import {
  type Answer,
  type Failure,
  type Json,
  type ReceivedCall,
  type Shown,
  type StandIn,
  serve,
} from './stand-in.ts'

const failed: Record<Failure, Answer> = {
  limited: {
    status: 429,
    headers: { 'retry-after': '1' },
    json: { message: 'too many' },
  },
  rejected: { status: 422, json: { message: 'the conversation is closed' } },
  unavailable: { status: 502 },
  credentials: { status: 401 },
}

export async function openOwnApp(): Promise<OwnApp> {
  const app = new OwnApp()
  await app.open()
  return app
}

export class OwnApp implements StandIn {
  configuration: Record<string, unknown> = {}
  /** Bodies of requests of the server, each id once. */
  readonly received = new Map<string, Json>()
  readonly #secret = randomBytes(32).toString('base64')
  readonly #failures: Failure[] = []
  #webhookUrl = ''
  #next = 1
  #last: { id: string; body: Json } | null = null
  #close = async () => {}

  async open() {
    const server = await serve((call) => this.#answer(call))
    this.configuration = {
      appUrl: `${server.url}/bot`,
      signingSecret: `whsec_${this.#secret}`,
    }
    this.#close = server.close
  }

  setWebhook = (url: string) => {
    this.#webhookUrl = url
  }

  toSignature(id: string, timestamp: string, body: string) {
    const hmac = createHmac('sha256', Buffer.from(this.#secret, 'base64'))
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }

  /** Posts a body to the bot with changed headers, and returns the response. */
  post(content: Json, headers: Record<string, string> = {}, id = `r${this.#next++}`) {
    const body = JSON.stringify(content)
    const timestamp =
      headers['webhook-timestamp'] ?? String(Math.floor(Date.now() / 1_000))
    const signed = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': this.toSignature(id, timestamp, body),
    }
    const type = { 'content-type': 'application/json' }
    return fetch(this.#webhookUrl, {
      method: 'POST',
      body,
      headers: { ...type, ...signed, ...headers },
    })
  }

  async receive(type: string, payload: Json) {
    const messageId = `m${this.#next++}`
    const person = { userId: 'u1', userName: 'Ana Pop' }
    this.#last = {
      id: messageId,
      body: { conversationId: 'c1', ...person, messageId, type, payload },
    }
    const { status } = await this.post(this.#last.body)
    if (status !== 200) throw new Error(`The bot's address answered ${status}`)
  }

  say = (text: string) => this.receive('text', { text })

  async press(label: string) {
    const shown = [...this.received.values()].findLast(({ type }) => type === 'choice')
    const options: Json[] = shown?.payload.options ?? []
    const value = options.find((option) => option.label === label)?.value
    await this.receive('text', { text: label, value })
  }

  async repeat() {
    if (this.#last) await this.post(this.#last.body)
  }

  shown = () => [...this.received.values()].filter(({ type }) => type).map(readShown)
  failNext = (failure: Failure) => void this.#failures.push(failure)
  close = () => this.#close()

  #answer({ path, headers, body }: ReceivedCall): Answer {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
      String(headers[`webhook-${name}`]),
    ) as [string, string, string]
    if (path !== '/bot') return { status: 404 }
    if (signature !== this.toSignature(id, timestamp, body.toString()))
      return failed.credentials
    const content: Json = JSON.parse(body.toString())
    const failure = content.type && this.#failures.shift()
    if (failure) return failed[failure as Failure]
    if (!this.received.has(id)) this.received.set(id, content)
    return { json: {} }
  }
}

function readShown({ type, payload }: Json): Shown {
  const cards: Json[] = payload.items ?? [payload]
  const options: Json[] = cards.flatMap(({ options = [], actions = [] }) => [
    ...options,
    ...actions,
  ])
  const buttons = options.map(({ label, action, value }) => ({
    label,
    ...(action === 'url' && { url: value }),
  }))
  const { latitude, longitude, [`${type}Url`]: url } = payload
  const text = type === 'card' ? `${payload.title}\n${payload.subtitle}` : payload.text
  return {
    ...(text && { text }),
    ...(buttons.length > 0 && { buttons }),
    ...(url && { media: { kind: type, url } }),
    ...(type === 'location' && { location: { latitude, longitude } }),
  }
}
