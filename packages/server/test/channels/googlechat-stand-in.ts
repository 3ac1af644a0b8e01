// A stand-in of the Chat API, from its public documentation
// (https://developers.google.com/workspace/chat/api/reference/rest).
import {
  decodeProtectedHeader,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import {
  type Answer,
  type Failure,
  type Json,
  type ReceivedCall,
  type Shown,
  type StandIn,
  serve,
} from './stand-in.ts'

export const projectNumber = '123456789012'
export const personName = 'users/1001'
export const dmName = 'spaces/DM1'
const chatAccount = 'chat@system.gserviceaccount.com'
const botAccount = 'bot@project.iam.gserviceaccount.com'
const accessToken = 'stand-in-access-token'

const fail = (
  code: number,
  status: string,
  message: string,
  more: Json = {},
): Answer => ({
  status: code,
  json: { error: { code, status, message, ...more } },
})

const failed: Record<Failure, Answer> = {
  limited: fail(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted'),
  rejected: fail(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
  unavailable: fail(503, 'UNAVAILABLE', 'The service is currently unavailable.'),
  credentials: fail(
    401,
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials.',
  ),
}

/** How a request differs from a right one. */
export interface Signing {
  claims?: JWTPayload
  authorization?: string | null
  isOtherKey?: boolean
  expiresAt?: string
}

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

export async function openGoogleChat(
  more: Record<string, unknown> = {},
): Promise<GoogleChat> {
  const chat = new GoogleChat()
  await chat.open(more)
  return chat
}

export class GoogleChat implements StandIn {
  configuration: Record<string, unknown> = {}
  /** What the person sees. */
  readonly messages: Json[] = []
  readonly calls: { path: string; headers: ReceivedCall['headers']; body: Json }[] = []
  /** How the API answers when the channel registers. */
  state: 'on' | 'off' | 'unconfigured' = 'on'
  /** The next answer is lost, after the message was stored. */
  losesAnswer = false
  readonly #failures: Failure[] = []
  readonly #files = new Map<string, Buffer>()
  readonly #byRequest = new Map<string, Json>()
  #keys: { chat: KeyPair; other: KeyPair; account: KeyPair } | null = null
  #webhook = ''
  #last: Json | null = null
  #next = 1
  #close = async () => {}

  async open(more: Record<string, unknown>) {
    const make = () => generateKeyPair('RS256', { extractable: true })
    const [chat, other, account] = await Promise.all([make(), make(), make()])
    this.#keys = { chat, other, account }
    const server = await serve((call) => this.#answer(call))
    this.configuration = {
      serviceAccountKey: await this.writeKey(`${server.url}/token`),
      audience: projectNumber,
      apiUrl: server.url,
      keysUrl: `${server.url}/keys`,
      ...more,
    }
    this.#close = server.close
  }

  /** Returns the JSON file of the service account. */
  async writeKey(token_uri: string, isOther = false): Promise<string> {
    const { account, other } = this.#keys!
    return JSON.stringify({
      type: 'service_account',
      private_key_id: 'key-id-1',
      private_key: await exportPKCS8((isOther ? other : account).privateKey),
      client_email: botAccount,
      token_uri,
    })
  }

  setWebhook(url: string) {
    this.#webhook = url
  }

  async say(text: string) {
    await this.receive({ text, argumentText: text })
  }

  async sendPicture(bytes: Buffer, caption: string) {
    await this.receive({ text: caption, attachment: [this.addFile(bytes)] })
  }

  addFile(bytes: Buffer): Json {
    const resourceName = `Abc+${this.#next++}==`
    this.#files.set(resourceName, bytes)
    return {
      name: `spaces/DM1/messages/m/attachments/${this.#next++}`,
      contentName: 'picture.png',
      contentType: 'image/png',
      source: 'UPLOADED_CONTENT',
      attachmentDataRef: { resourceName },
    }
  }

  async press(label: string) {
    const found = this.messages
      .flatMap((message) => readButtons(message).map((button) => ({ message, button })))
      .findLast(({ button }) => button.text === label)
    await this.post({
      ...this.event('CARD_CLICKED'),
      message: found?.message,
      ...found?.button.sent,
    })
  }

  receive(message: Json, more: Json = {}) {
    const space = more.space?.name ?? dmName
    return this.post({
      ...this.event('MESSAGE'),
      message: {
        name: `${space}/messages/${this.#next++}.1`,
        thread: { name: `${space}/threads/T${this.#next}` },
        ...message,
      },
      ...more,
    })
  }

  event = (type: string): Json => ({
    type,
    eventTime: new Date(1_700_000_000_000 + this.#next++).toISOString(),
    space: { name: dmName, spaceType: 'DIRECT_MESSAGE' },
    user: {
      name: personName,
      displayName: 'Ana',
      email: 'ana@example.org',
      type: 'HUMAN',
    },
  })

  async post(event: Json, signing: Signing = {}): Promise<Response> {
    this.#last = event
    const { authorization = `Bearer ${await this.#sign(signing)}` } = signing
    return fetch(this.#webhook, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(authorization !== null && { authorization }),
      },
      body: JSON.stringify(event),
    })
  }

  #sign({ claims, isOtherKey, expiresAt = '1h' }: Signing) {
    const { chat, other } = this.#keys!
    return new SignJWT({ iss: chatAccount, aud: projectNumber, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'chat-1' })
      .setExpirationTime(expiresAt)
      .sign((isOtherKey ? other : chat).privateKey)
  }

  async repeat() {
    if (this.#last) await this.post(this.#last)
  }

  shown = () => this.messages.map(readShown)
  failNext = (failure: Failure) => void this.#failures.push(failure)
  close = () => this.#close()

  async #answer({ method, path, headers, body: bytes }: ReceivedCall): Promise<Answer> {
    const url = new URL(path, 'http://localhost')
    if (url.pathname === '/token')
      return this.#login(bytes.toString(), String(headers.host))
    if (url.pathname === '/keys') {
      const key = await exportJWK(this.#keys!.chat.publicKey)
      return { json: { keys: [{ ...key, kid: 'chat-1', use: 'sig', alg: 'RS256' }] } }
    }
    if (headers.authorization !== `Bearer ${accessToken}`) return failed.credentials
    const body = bytes.length > 0 ? JSON.parse(bytes.toString()) : {}
    this.calls.push({ path, headers, body })
    const media = /^\/v1\/media\/(.+)$/.exec(url.pathname)
    const file = media && this.#files.get(decodeURIComponent(media[1]!))
    if (file) return { body: file, headers: { 'content-type': 'image/png' } }
    if (url.pathname === '/v1/spaces') return this.#spaces()
    const space = /^\/v1\/(spaces\/[\w-]+)\/messages$/.exec(url.pathname)?.[1]
    if (!space || method !== 'POST') return fail(404, 'NOT_FOUND', 'Not found')
    return this.#create(space, body, url.searchParams)
  }

  async #login(text: string, host: string): Promise<Answer> {
    const assertion = new URLSearchParams(text).get('assertion') ?? ''
    try {
      if (decodeProtectedHeader(assertion).kid !== 'key-id-1') throw new Error('kid')
      const { payload } = await jwtVerify(assertion, this.#keys!.account.publicKey, {
        issuer: botAccount,
        audience: `http://${host}/token`,
      })
      if (payload.scope !== 'https://www.googleapis.com/auth/chat.bot')
        throw new Error('scope')
      return {
        json: { access_token: accessToken, expires_in: 3_599, token_type: 'Bearer' },
      }
    } catch {
      const json = { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }
      return { status: 400, json }
    }
  }

  #spaces(): Answer {
    if (this.state === 'on') return { json: { spaces: [] } }
    const details = [{ reason: 'SERVICE_DISABLED' }]
    if (this.state === 'off')
      return fail(403, 'PERMISSION_DENIED', 'Google Chat API has not been used', {
        details,
      })
    const message = 'Google Chat app not found. To create a Chat app, configure the app.'
    return fail(404, 'NOT_FOUND', message)
  }

  #create(space: string, body: Json, query: URLSearchParams): Answer {
    const failure = this.#failures.shift()
    if (failure) return failed[failure]
    const requestId = query.get('requestId') ?? String(this.#next++)
    const before = this.#byRequest.get(requestId)
    if (before) return { json: before }
    if (isBroken(body))
      return fail(400, 'INVALID_ARGUMENT', 'Message cannot be empty or too large')
    const message = {
      ...body,
      name: `${space}/messages/${this.#next++}.1`,
      space: { name: space },
    }
    this.#byRequest.set(requestId, message)
    this.messages.push(message)
    if (!this.losesAnswer) return { json: message }
    this.losesAnswer = false
    return failed.unavailable
  }
}

/** The limits of the documentation. */
function isBroken(body: Json): boolean {
  const { text, cardsV2 = [] } = body
  if (!text && cardsV2.length === 0) return true
  if (Buffer.byteLength(JSON.stringify(body)) > 32_000 || (text ?? '').length > 4_096)
    return true
  return readWidgets(body).some(
    ({ image }) => image && !image.imageUrl.startsWith('https://'),
  )
}

const readWidgets = ({ cardsV2 = [] }: Json): Json[] =>
  cardsV2.flatMap(({ card }: Json) =>
    card.sections.flatMap(({ widgets }: Json) => widgets),
  )

interface Button {
  text: string
  url?: string
  /** What a press of it sends. */
  sent: Json
}

function readButtons(message: Json): Button[] {
  return readWidgets(message).flatMap(({ buttonList, selectionInput }) => [
    ...(buttonList?.buttons ?? []).map(({ text, onClick }: Json) => ({
      text,
      url: onClick.openLink?.url,
      sent: { action: { parameters: onClick.action?.parameters } },
    })),
    ...(selectionInput?.items ?? []).map(({ text, value }: Json) => ({
      text,
      sent: {
        common: {
          formInputs: { [selectionInput.name]: { stringInputs: { value: [value] } } },
        },
      },
    })),
  ])
}

function readShown(message: Json): Shown {
  const buttons = readButtons(message).map(({ text, url }) => ({
    label: text,
    ...(url && { url }),
  }))
  const widgets = readWidgets(message)
  const texts = [message.text, ...widgets.map(({ textParagraph }) => textParagraph?.text)]
  const text = texts.filter(Boolean).join('\n')
  const url = widgets.find(({ image }) => image)?.image.imageUrl
  return {
    ...(text && { text }),
    ...(buttons.length > 0 && { buttons }),
    ...(url && { media: { kind: 'image' as const, url } }),
  }
}
