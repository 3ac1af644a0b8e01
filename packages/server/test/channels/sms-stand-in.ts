// A stand-in of an SMS gateway with an HTTP API: the shape that most have.
import {
  type Answer,
  type Failure,
  type Json,
  type ReceivedCall,
  type Shown,
  type StandIn,
  serve,
} from './stand-in.ts'

export const botPhone = '+4915100000001'
export const personPhone = '+4915100000002'
const token = 'stand-in-gateway-token'
const webhookSecret = 'stand-in-webhook-secret'

const failed: Record<Failure, Answer> = {
  limited: { status: 429, headers: { 'retry-after': '0' }, json: { error: 'slow down' } },
  rejected: { status: 422, json: { error: 'unknown destination' } },
  unavailable: { status: 503, json: { error: 'maintenance' } },
  credentials: { status: 401, json: { error: 'wrong token' } },
}

export async function openGateway(more: Json = {}): Promise<Gateway> {
  const gateway = new Gateway()
  await gateway.open(more)
  return gateway
}

export class Gateway implements StandIn {
  configuration: Json = {}
  /** Requests that send an SMS. */
  readonly calls: ReceivedCall[] = []
  /** What the person gets. */
  readonly messages: Json[] = []
  /** Answers in place of the usual one, once. */
  answer: Answer | null = null
  readonly #failures: Failure[] = []
  #webhook = ''
  #last: { query: string; init: RequestInit } = { query: '', init: {} }
  #next = 1
  #close = async () => {}

  async open(more: Json) {
    const server = await serve((call) => this.#answer(call))
    this.#close = server.close
    this.configuration = {
      sendUrl: `${server.url}/messages`,
      authorizationSecret: `Bearer ${token}`,
      sender: botPhone,
      sentIdField: 'data.0.id',
      webhookSecret,
      ...more,
    }
  }

  setWebhook(url: string) {
    this.#webhook = url
  }

  say = (text: string) =>
    this.receive({ id: `in-${this.#next++}`, from: personPhone, to: botPhone, text })

  async receive(body: unknown) {
    await this.request(`?secret=${webhookSecret}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  /** Calls the webhook address. */
  async request(query: string, init: RequestInit = {}): Promise<Response> {
    this.#last = { query, init }
    return fetch(this.#webhook + query, init)
  }

  async repeat() {
    await this.request(this.#last.query, this.#last.init)
  }

  shown = (): Shown[] => this.messages.map(({ text }) => ({ text }))
  failNext = (failure: Failure) => void this.#failures.push(failure)
  close = () => this.#close()

  #answer(call: ReceivedCall): Answer {
    this.calls.push(call)
    const failure = this.#failures.shift()
    if (failure) return failed[failure]
    if (call.headers.authorization !== `Bearer ${token}`) return failed.credentials
    const other = this.answer
    this.answer = null
    if (other) return other
    const message = JSON.parse(call.body.toString()) as Json
    if (message.text.length > 1_600) return failed.rejected
    this.messages.push(message)
    return { status: 202, json: { data: [{ id: `out-${this.#next++}` }] } }
  }
}
