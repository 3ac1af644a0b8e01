// A stand-in of Twilio's API for messages, from its public documentation
// (https://www.twilio.com/docs/messaging/api).
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

const accountSID = `AC${'a1'.repeat(16)}`
const authToken = 'stand-in-auth-token'
export const botPhone = '+15005550006'
export const personPhone = '+40712345678'
export const service = `MG${'b2'.repeat(16)}`
const account = `/2010-04-01/Accounts/${accountSID}`

const fail = (status: number, code: number, message: string): Answer => ({
  status,
  json: {
    code,
    message,
    status,
    more_info: `https://www.twilio.com/docs/errors/${code}`,
  },
})

const failed: Record<Failure, Answer> = {
  limited: fail(429, 20429, 'Too Many Requests'),
  rejected: fail(400, 21610, 'Attempt to send to unsubscribed recipient'),
  unavailable: fail(503, 20503, 'Service Unavailable'),
  credentials: fail(401, 20003, 'Authenticate'),
}

export async function openTwilio(more: Record<string, unknown> = {}): Promise<Twilio> {
  const twilio = new Twilio()
  await twilio.open(more)
  return twilio
}

export class Twilio implements StandIn {
  configuration: Record<string, unknown> = {}
  /** What the person gets. */
  readonly messages: Json[] = []
  /** Addresses that the account has for messages of people, by number or service. */
  readonly addresses: Record<string, string> = {}
  /** The person's phone number. */
  person = personPhone
  status = 'active'
  canSms = true
  url = ''
  readonly #failures: Failure[] = []
  readonly #files = new Map<string, Buffer>()
  #webhook = ''
  #last: Json = {}
  #next = 1
  #storeUrl = ''
  #close = async () => {}

  async open(more: Record<string, unknown>) {
    const server = await serve((call) => this.#answer(call))
    // Another origin: the credentials are for the first one only.
    const store = await serve((call) => this.#store(call))
    this.url = server.url
    this.#storeUrl = store.url
    this.configuration = {
      accountSID,
      authToken,
      sender: botPhone,
      apiUrl: server.url,
      ...more,
    }
    this.#close = async () => {
      await server.close()
      await store.close()
    }
  }

  setWebhook(url: string) {
    this.#webhook = url
  }

  async say(text: string) {
    await this.receive({ Body: text })
  }

  async sendPicture(bytes: Buffer, caption: string) {
    await this.receive({ Body: caption, ...this.addMedia(0, 'image/jpeg', bytes) })
  }

  /** Returns the fields of a file in a message. */
  addMedia(index: number, contentType: string, bytes: Buffer): Json {
    const id = `ME${this.#next++}`
    this.#files.set(id, bytes)
    const url = `${this.url}${account}/Messages/MM1/Media/${id}`
    return {
      NumMedia: String(index + 1),
      [`MediaUrl${index}`]: url,
      [`MediaContentType${index}`]: contentType,
    }
  }

  receive(fields: Json) {
    const MessageSid = `SM${String(this.#next++).padStart(32, '0')}`
    return this.notify({
      MessageSid,
      SmsSid: MessageSid,
      SmsStatus: 'received',
      AccountSid: accountSID,
      From: this.person,
      To: botPhone,
      NumMedia: '0',
      ...fields,
    })
  }

  /** The state of the bot's latest message, or of another one. */
  report(MessageStatus: string, more: Json = {}) {
    const { sid: MessageSid, StatusCallback } = this.messages.at(-1) as Json
    const fields = {
      MessageSid,
      MessageStatus,
      SmsStatus: MessageStatus,
      AccountSid: accountSID,
    }
    return this.notify(
      { ...fields, From: botPhone, To: this.person, ...more },
      { url: StatusCallback },
    )
  }

  async notify(
    fields: Json,
    { url = this.#webhook, signature }: Json = {},
  ): Promise<Response> {
    this.#last = { fields, url }
    const signed = Object.keys(fields)
      .sort()
      .map((name) => name + fields[name])
    const right = createHmac('sha1', authToken)
      .update(url + signed.join(''))
      .digest('base64')
    const given = signature === undefined ? right : signature
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        ...(given !== null && { 'x-twilio-signature': given }),
      },
      body: new URLSearchParams(fields).toString(),
    })
  }

  async repeat() {
    await this.notify(this.#last.fields, { url: this.#last.url })
  }

  shown = () => this.messages.map(readShown)
  failNext = (failure: Failure) => void this.#failures.push(failure)
  close = () => this.#close()

  #answer({ method, path, headers, body }: ReceivedCall): Answer {
    const credentials = Buffer.from(`${accountSID}:${authToken}`).toString('base64')
    if (headers.authorization !== `Basic ${credentials}`) return failed.credentials
    const file = /\/Media\/(\w+)$/.exec(path)?.[1]
    if (file) return { status: 307, headers: { location: `${this.#storeUrl}/${file}` } }
    const fields = Object.fromEntries(new URLSearchParams(body.toString()))
    const [name = '', query] = path.split('?')
    return this.#resource(`${method} ${name}`, fields, new URLSearchParams(query))
  }

  /** As stores of files, which take one kind of credentials. */
  #store({ path, headers }: ReceivedCall): Answer {
    const content = this.#files.get(path.slice(1))
    if (headers.authorization) return { status: 400 }
    return content
      ? { body: content, headers: { 'content-type': 'image/jpeg' } }
      : { status: 404 }
  }

  #resource(name: string, fields: Json, query: URLSearchParams): Answer {
    if (name === `GET ${account}.json`)
      return { json: { sid: accountSID, status: this.status, friendly_name: 'Bakery' } }
    if (name === `POST ${account}/Messages.json`) return this.#send(fields)
    if (name === `GET ${account}/IncomingPhoneNumbers.json`)
      return {
        json: { incoming_phone_numbers: this.#listNumbers(query.get('PhoneNumber')) },
      }
    if (name === `POST ${account}/IncomingPhoneNumbers/PN1.json`)
      return this.#setAddress(botPhone, fields.SmsUrl)
    if (name === `POST /v1/Services/${service}`)
      return this.#setAddress(service, fields.InboundRequestUrl)
    if (name === `GET /v1/Services/${service}`)
      return { json: { inbound_request_url: this.addresses[service] } }
    return fail(404, 20404, 'The requested resource was not found')
  }

  #listNumbers = (phone: string | null) =>
    phone === botPhone
      ? [
          {
            sid: 'PN1',
            sms_url: this.addresses[botPhone],
            capabilities: { sms: this.canSms },
          },
        ]
      : []

  #setAddress(sender: string, url: string): Answer {
    this.addresses[sender] = url
    return { json: {} }
  }

  #send(fields: Json): Answer {
    const failure = this.#failures.shift()
    if (failure) return failed[failure]
    const { To, From, MessagingServiceSid, Body = '', MediaUrl } = fields
    if (To !== this.person) return fail(400, 21211, `Invalid 'To' Phone Number: ${To}`)
    if (From !== botPhone && MessagingServiceSid !== service)
      return fail(400, 21606, `The 'From' phone number ${From} is not a valid`)
    if (Body.length > 1_600)
      return fail(400, 21617, 'The concatenated message body is too long')
    if (!Body && !MediaUrl) return fail(400, 21602, 'Message body is required')
    if (MediaUrl && !/^https?:\/\/.+\..+/.test(MediaUrl))
      return fail(400, 21620, 'Invalid media URL')
    const sid = `SM${String(this.#next++).padStart(32, 'f')}`
    this.messages.push({ sid, ...fields })
    return { status: 201, json: { sid, status: 'queued' } }
  }
}

const readShown = ({ Body, MediaUrl }: Json): Shown => ({
  ...(Body && { text: Body }),
  ...(MediaUrl && { media: { kind: 'image', url: MediaUrl } }),
})
