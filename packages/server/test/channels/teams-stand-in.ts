// A stand-in of the Bot Framework as Teams uses it, from its public documentation
// (https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference).
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import {
  type Answer,
  type Failure,
  type Json,
  type ReceivedCall,
  type Shown,
  type StandIn,
  serve,
} from './stand-in.ts'

export const appId = '11111111-2222-3333-4444-555555555555'
const appPassword = 'stand-in-client-secret~value'
const accessToken = 'stand-in-access-token'
export const tenantId = '99999999-aaaa-bbbb-cccc-dddddddddddd'
export const personId = '29:1person'
export const conversationId = 'a:1conversation'
const issuer = 'https://api.botframework.com'

const fail = (status: number, code: string, message: string): Answer => ({
  status,
  json: { error: { code, message } },
})

const failed: Record<Failure, Answer> = {
  limited: {
    ...fail(429, 'Throttled', 'Too many requests'),
    headers: { 'retry-after': '1' },
  },
  rejected: fail(
    403,
    'BotNotInConversationRoster',
    'The bot is not part of the conversation.',
  ),
  unavailable: fail(502, 'ServiceError', 'Bad gateway'),
  credentials: fail(
    401,
    'Unauthorized',
    'Authorization has been denied for this request.',
  ),
}

/** How a request differs from a right one. */
export interface Signing {
  claims?: JWTPayload
  authorization?: string | null
  kid?: string
  isOtherKey?: boolean
  expiresAt?: string
}

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

export async function openTeams(more: Record<string, unknown> = {}): Promise<Teams> {
  const teams = new Teams()
  await teams.open(more)
  return teams
}

export class Teams implements StandIn {
  configuration: Record<string, unknown> = {}
  /** What the person sees. */
  readonly messages: Json[] = []
  readonly calls: {
    method: string
    path: string
    headers: ReceivedCall['headers']
    body: Json
  }[] = []
  endorsements = ['msteams']
  serviceUrl = ''
  readonly #failures: Failure[] = []
  readonly #files = new Map<string, Buffer>()
  #keys: { right: KeyPair; other: KeyPair } | null = null
  #kid = 'key-1'
  #webhook = ''
  #last: Json | null = null
  #next = 1
  #close = async () => {}

  async open(more: Record<string, unknown>) {
    const [right, other] = await Promise.all([
      generateKeyPair('RS256'),
      generateKeyPair('RS256'),
    ])
    this.#keys = { right, other }
    const server = await serve((call) => this.#answer(call))
    this.serviceUrl = `${server.url}/service/`
    this.configuration = {
      appId,
      appPassword,
      tenantId,
      loginUrl: server.url,
      metadataUrl: `${server.url}/metadata`,
      ...more,
    }
    this.#close = server.close
  }

  setWebhook(url: string) {
    this.#webhook = url
  }

  async say(text: string) {
    await this.receive({ text })
  }

  async sendPicture(bytes: Buffer, caption: string) {
    const contentUrl = this.addFile(bytes)
    await this.receive({
      text: caption,
      attachments: [{ contentType: 'image/*', contentUrl }],
    })
  }

  addFile(bytes: Buffer): string {
    const path = `/service/v3/attachments/${this.#next++}`
    this.#files.set(path, bytes)
    return new URL(path, this.serviceUrl).href
  }

  async press(label: string) {
    const found = this.messages
      .flatMap(readButtons)
      .findLast((button) => button.title === label)
    await this.receive({ text: found?.text, value: found?.value })
  }

  receive(message: Json) {
    const id = String(Date.now() * 1_000 + this.#next++)
    return this.post(
      this.complete({ type: 'message', id, textFormat: 'plain', ...message }),
    )
  }

  complete = (activity: Json): Json => ({
    channelId: 'msteams',
    serviceUrl: this.serviceUrl,
    timestamp: new Date(1_700_000_000_000 + this.#next++).toISOString(),
    from: { id: personId, name: 'Ana' },
    recipient: { id: `28:${appId}`, name: 'Bot' },
    conversation: { id: conversationId, conversationType: 'personal', tenantId },
    channelData: { tenant: { id: tenantId } },
    ...activity,
  })

  async post(activity: Json, signing: Signing = {}): Promise<Response> {
    this.#last = activity
    const right = `Bearer ${await this.#sign(activity, signing)}`
    const { authorization = right } = signing
    return fetch(this.#webhook, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(authorization !== null && { authorization }),
      },
      body: JSON.stringify(activity),
    })
  }

  #sign({ serviceUrl }: Json, { claims, kid, isOtherKey, expiresAt = '1h' }: Signing) {
    const key = isOtherKey ? this.#keys!.other : this.#keys!.right
    return new SignJWT({ serviceurl: serviceUrl, iss: issuer, aud: appId, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: kid ?? this.#kid })
      .setExpirationTime(expiresAt)
      .sign(key.privateKey)
  }

  async repeat() {
    if (this.#last) await this.post(this.#last)
  }

  shown = () => this.messages.map(readShown)
  failNext = (failure: Failure) => void this.#failures.push(failure)
  close = () => this.#close()

  async #answer({ method, path, headers, body: bytes }: ReceivedCall): Promise<Answer> {
    const text = bytes.toString()
    const url = new URL(path, this.serviceUrl)
    if (url.pathname.endsWith('/oauth2/v2.0/token'))
      return this.#login(url.pathname, text)
    if (path === '/metadata') return { json: { issuer, jwks_uri: `${url.origin}/keys` } }
    if (path === '/keys') return { json: { keys: [await this.#publicKey()] } }
    if (headers.authorization !== `Bearer ${accessToken}`) return failed.credentials
    const body = text ? JSON.parse(text) : {}
    this.calls.push({ method, path, headers, body })
    const file = this.#files.get(path)
    if (file) return { body: file, headers: { 'content-type': 'image/png' } }
    return this.#service(method, decodeURIComponent(url.pathname), body)
  }

  async #publicKey() {
    const key = await exportJWK(this.#keys!.right.publicKey)
    return { ...key, kid: this.#kid, use: 'sig', endorsements: this.endorsements }
  }

  #login(path: string, text: string): Answer {
    const form = new URLSearchParams(text)
    const deny = (description: string) => ({
      status: 400,
      json: { error: 'invalid_client', error_description: `${description} Trace ID: 1` },
    })
    if (!path.startsWith(`/${tenantId}/`))
      return deny('AADSTS90002: Tenant not found. Check the tenant id.')
    if (form.get('client_id') !== appId)
      return deny('AADSTS700016: Application was not found in the directory.')
    if (form.get('client_secret') === 'expired')
      return deny('AADSTS7000222: The provided client secret keys are expired.')
    if (form.get('client_secret') !== appPassword)
      return deny('AADSTS7000215: Invalid client secret provided.')
    if (form.get('scope') !== 'https://api.botframework.com/.default')
      return deny('AADSTS70011')
    return {
      json: { token_type: 'Bearer', expires_in: 3_599, access_token: accessToken },
    }
  }

  #service(method: string, path: string, body: Json): Answer {
    const member = /^\/service\/v3\/conversations\/[^/]+\/members\/(.+)$/.exec(path)?.[1]
    if (member)
      return { json: { id: personId, name: 'Ana Lima', email: 'ana@example.org' } }
    if (method === 'POST' && path === '/service/v3/conversations')
      return { status: 201, json: { id: `a:dm-${body.members[0].id}` } }
    const activities = /^\/service\/v3\/conversations\/([^/]+)\/activities$/.exec(path)
    if (method !== 'POST' || !activities) return fail(404, 'NotFound', path)
    if (body.type === 'typing') return { status: 201, json: { id: '1' } }
    const failure = this.#failures.shift()
    if (failure) return failed[failure]
    if (isBroken(body)) return fail(400, 'BadSyntax', 'The activity is not valid')
    const id = String(this.#next++)
    this.messages.push({ ...body, id, conversation: activities[1] })
    return { status: 201, json: { id } }
  }
}

/** The limits of the documentation. */
function isBroken({ type, text, attachments = [] }: Json): boolean {
  if (type !== 'message' || (!text && attachments.length === 0)) return true
  if (Buffer.byteLength(String(text ?? ''), 'utf16le') > 80_000) return true
  return (
    attachments.length > 10 ||
    attachments.some((one: Json) => one.content?.buttons?.length > 6)
  )
}

const readContents = ({ attachments = [] }: Json): Json[] =>
  attachments.flatMap(({ content }: Json) => content ?? [])

function readButtons(message: Json): Json[] {
  return readContents(message).flatMap(({ buttons = [], body = [] }) => [
    ...buttons,
    ...body.flatMap(({ id, choices = [] }: Json) =>
      choices.map(({ title, value }: Json) => ({ title, value: { [id]: value } })),
    ),
  ])
}

const toPlain = (text: string) =>
  text.replaceAll('  \n', '\n').replace(/\\(.)/g, '$1').replaceAll('&lt;', '<')

function readShown(message: Json): Shown {
  const buttons = readButtons(message).map(({ type, title, value }) => ({
    label: title,
    ...(type === 'openUrl' && { url: value }),
  }))
  const texts = [
    message.text,
    ...readContents(message).flatMap(({ title, text }) => [title, text]),
  ].filter(Boolean)
  const image = message.attachments?.find(({ contentUrl }: Json) => contentUrl)
  return {
    ...(texts.length > 0 && { text: toPlain(texts.join('\n')) }),
    ...(buttons.length > 0 && { buttons }),
    ...(image && { media: { kind: 'image', url: image.contentUrl } }),
  }
}
