// What stand-ins of Meta's providers have in common: signed notifications, tokens and errors of the Graph API
// (https://developers.facebook.com/docs/graph-api).
import { createHmac } from 'node:crypto'
import {
  type Answer,
  type Failure,
  type Json,
  type ReceivedCall,
  type Shown,
  type StandIn,
  serve,
} from './stand-in.ts'

export const graphError = (
  status: number,
  code: number,
  message: string,
  more: Json = {},
): Answer => ({
  status,
  json: { error: { message, type: 'OAuthException', code, fbtrace_id: 'A', ...more } },
})

const accessToken = 'EAAG-stand-in-access-token'
const clientSecret = 'stand-in-app-secret'
const verifyToken = 'stand-in-verify-token'

export interface GraphCall {
  method: string
  path: string
  query: URLSearchParams
  headers: ReceivedCall['headers']
  /** Of a JSON body. */
  body: Json
  received: ReceivedCall
}

/** The Graph API gives those that a call names. */
export const pickFields = ({ query }: GraphCall, fields: Json): Json =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) =>
      query.get('fields')?.split(',').includes(name),
    ),
  )

export abstract class MetaStandIn implements StandIn {
  configuration: Record<string, unknown> = {}
  readonly calls: GraphCall[] = []
  protected url = ''
  protected readonly failures: Failure[] = []
  protected readonly files = new Map<string, Buffer>()
  #webhook = ''
  #last: Json | null = null
  #next = 1
  #close = async () => {}

  abstract say(text: string): Promise<void>
  abstract sendPicture(bytes: Buffer, caption: string): Promise<void>
  abstract press(label: string): Promise<void>
  abstract shown(): Shown[]
  /** Answers a call with a right token. */
  protected abstract answer(call: GraphCall): Promise<Answer> | Answer

  async open(more: Record<string, unknown>) {
    const server = await serve((received) => this.#receive(received))
    this.url = server.url
    this.configuration = {
      accessToken,
      clientSecret,
      verifyToken,
      apiUrl: server.url,
      ...more,
    }
    this.#close = server.close
  }

  setWebhook = (url: string) => {
    this.#webhook = url
  }
  failNext = (failure: Failure) => void this.failures.push(failure)
  close = () => this.#close()
  protected nextId = () => this.#next++

  addFile(bytes: Buffer): string {
    const id = String(900_000 + this.nextId())
    this.files.set(id, bytes)
    return id
  }

  /** Asks whether the address is right, as Meta does when it is entered. */
  ask(parameters: Record<string, string>) {
    return fetch(`${this.#webhook}?${new URLSearchParams(parameters)}`)
  }

  /** Sends a notification. Meta repeats it until the answer is 200. */
  async notify(notification: Json, signature?: string | null): Promise<Response> {
    this.#last = notification
    const body = JSON.stringify(notification)
    const right = `sha256=${createHmac('sha256', clientSecret).update(body).digest('hex')}`
    const signed = signature === undefined ? right : signature
    const headers = {
      'content-type': 'application/json',
      ...(signed !== null && { 'x-hub-signature-256': signed }),
    }
    return fetch(this.#webhook, { method: 'POST', headers, body })
  }

  async repeat() {
    if (this.#last) await this.notify(this.#last)
  }

  async #receive(received: ReceivedCall): Promise<Answer> {
    const { pathname, searchParams: query } = new URL(received.path, this.url)
    const file = /^\/files\/(\d+)$/.exec(pathname)
    if (file) return this.#giveFile(file[1]!, received)
    const token = received.headers.authorization?.replace(/^Bearer /, '')
    if (token !== accessToken)
      return graphError(401, 190, `Malformed access token ${token}`)
    const proof = createHmac('sha256', clientSecret).update(accessToken).digest('hex')
    if (this.needsProof && query.get('appsecret_proof') !== proof)
      return graphError(400, 100, 'Invalid appsecret_proof provided in the API argument')
    const { method, headers } = received
    const isJson = /json/.test(headers['content-type'] ?? '')
    const body = isJson ? JSON.parse(received.body.toString()) : {}
    const path = pathname.replace(/^\/v\d+\.\d+/, '')
    const call = { method, path, query, headers, body, received }
    this.calls.push(call)
    return this.answer(call)
  }

  protected readonly needsProof: boolean = true
  protected readonly filesNeedToken: boolean = true

  #giveFile(id: string, { headers }: ReceivedCall): Answer {
    const content = this.files.get(id)
    const isAllowed =
      !this.filesNeedToken || headers.authorization === `Bearer ${accessToken}`
    return content && isAllowed
      ? { body: content, headers: { 'content-type': 'image/jpeg' } }
      : { status: 404 }
  }
}
