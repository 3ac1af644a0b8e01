// A stand-in of a homeserver of Matrix, from its specification
// (https://spec.matrix.org/latest/client-server-api/).
import {
  type Answer,
  type Failure,
  type Json,
  type ReceivedCall,
  type Shown,
  type StandIn,
  serve,
} from './stand-in.ts'

const accessToken = 'stand-in-access-token'
export const botId = '@bot:example.org'
export const personId = '@ana:example.org'
export const roomId = '!room:example.org'

const fail = (
  status: number,
  errcode: string,
  error: string,
  more: Json = {},
): Answer => ({
  status,
  json: { errcode, error, ...more },
})

const failed: Record<Failure, Answer> = {
  limited: fail(429, 'M_LIMIT_EXCEEDED', 'Too Many Requests', { retry_after_ms: 500 }),
  rejected: fail(403, 'M_FORBIDDEN', 'User @bot:example.org not in room'),
  unavailable: fail(502, 'M_UNKNOWN', 'Bad gateway'),
  credentials: fail(401, 'M_UNKNOWN_TOKEN', 'Invalid access token'),
}

export async function openMatrix(more: Record<string, unknown> = {}): Promise<Matrix> {
  const matrix = new Matrix()
  await matrix.open(more)
  return matrix
}

export class Matrix implements StandIn {
  configuration: Record<string, unknown> = {}
  /** Events of the bot, in the order of their arrival. */
  readonly sent: Json[] = []
  readonly calls: { method: string; path: string; body: Json }[] = []
  /** Of /.well-known; a homeserver whose API is elsewhere does not answer as one. */
  base: string | null = null
  invites: string[] = []
  /** The homeserver does the next thing, and its answer is lost. */
  loseNext = false
  url = ''
  readonly #events: Json[] = []
  #ephemeral: Json[] = []
  readonly #files = new Map<string, Buffer>()
  readonly #transactions = new Map<string, string>()
  readonly #accountData = new Map<string, Json>()
  readonly #failures: Failure[] = []
  #waiting: (() => void)[] = []
  /** Resolves when the bot has its first position: it reads nothing older. */
  #begin = () => {}
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve
  })
  #next = 1
  #close = async () => {}

  async open(more: Record<string, unknown>) {
    const server = await serve((call) => this.#answer(call))
    this.url = server.url
    this.configuration = { homeserver: server.url, accessToken, ...more }
    this.#close = server.close
  }

  async say(text: string) {
    await this.receive({ msgtype: 'm.text', body: text })
  }

  async sendPicture(bytes: Buffer, caption: string) {
    const url = this.addFile(bytes)
    const info = { mimetype: 'image/png' }
    await this.receive({
      msgtype: 'm.image',
      body: caption,
      filename: 'a.png',
      url,
      info,
    })
  }

  addFile(bytes: Buffer): string {
    const id = `file${this.#next++}`
    this.#files.set(id, bytes)
    return `mxc://example.org/${id}`
  }

  async receive(content: Json, more: Json = {}) {
    await this.#begun
    return this.add({ type: 'm.room.message', content, ...more })
  }

  /** Adds an event to a room, and returns its id. */
  async add(event: Json): Promise<string> {
    const event_id = `$event${this.#next++}`
    const all = {
      event_id,
      sender: personId,
      room: roomId,
      origin_server_ts: Date.now(),
      ...event,
    }
    this.#events.push(all)
    this.#wake()
    return event_id
  }

  read(eventId: string, thread_id?: string) {
    const readers = { [personId]: { ts: Date.now(), ...(thread_id && { thread_id }) } }
    this.#ephemeral.push({
      type: 'm.receipt',
      content: { [eventId]: { 'm.read': readers } },
    })
    this.#wake()
  }

  async repeat() {
    const last = this.#events.findLast(({ sender }) => sender === personId)
    if (last) this.#events.push(last)
    this.#wake()
  }

  invite(id: string) {
    this.invites.push(id)
    this.#wake()
  }

  #wake() {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  shown = () => this.sent.map(({ content }) => this.#readShown(content))
  failNext = (failure: Failure) => void this.#failures.push(failure)

  async close() {
    this.#wake()
    await this.#close()
  }

  async #answer(call: ReceivedCall): Promise<Answer> {
    const url = new URL(call.path, this.url)
    if (url.pathname === '/.well-known/matrix/client')
      return this.base
        ? { json: { 'm.homeserver': { base_url: this.base } } }
        : { status: 404 }
    if (this.base) return { status: 404 }
    if (url.pathname === '/_matrix/client/versions')
      return { json: { versions: ['v1.11'] } }
    if (call.headers.authorization !== `Bearer ${accessToken}`) return failed.credentials
    if (url.pathname === '/_matrix/media/v3/upload')
      return { json: { content_uri: this.addFile(call.body) } }
    const file = /^\/_matrix\/client\/v1\/media\/download\/example\.org\/(\w+)$/.exec(
      url.pathname,
    )
    const content = file && this.#files.get(file[1]!)
    if (content) return { body: content, headers: { 'content-type': 'image/png' } }
    const parts = url.pathname.split('/').slice(4).map(decodeURIComponent)
    const body = call.body.length > 0 ? JSON.parse(call.body.toString()) : {}
    const path = parts.join('/')
    if (parts[0] !== 'sync') this.calls.push({ method: call.method, path, body })
    return this.#resource(
      parts,
      { ...body, ...Object.fromEntries(url.searchParams) },
      call.method,
    )
  }

  async #resource(parts: string[], input: Json, method: string): Promise<Answer> {
    const [first, id = '', third, ...rest] = parts
    if (first === 'account') return { json: { user_id: botId } }
    if (first === 'profile') return { json: { displayname: 'Ana' } }
    if (first === 'sync') return this.#sync(input)
    if (first === 'join') {
      this.invites = this.invites.filter((one) => one !== id)
      return { json: { room_id: id } }
    }
    if (first === 'user') return this.#account(parts.join('/'), input, method)
    if (third === 'messages') return this.#listMessages(id, input)
    if (third === 'event') {
      const event = this.#events.find(({ event_id }) => event_id === rest[0])
      return event ? { json: event } : failed.rejected
    }
    if (third === 'send') return this.#send(id, rest, input)
    if (third && ['typing', 'receipt', 'redact'].includes(third)) return { json: {} }
    return fail(404, 'M_UNRECOGNIZED', 'Unrecognized request')
  }

  #account(path: string, body: Json, method: string): Answer {
    if (method === 'PUT') this.#accountData.set(path, body)
    const found = this.#accountData.get(path)
    return found ? { json: found } : fail(404, 'M_NOT_FOUND', 'Account data not found')
  }

  #send(room: string, [type, transaction = '']: string[], content: Json): Answer {
    const before = this.#transactions.get(transaction)
    if (before) return { json: { event_id: before } }
    const failure = this.#failures.shift()
    if (failure) return failed[failure]
    if (JSON.stringify(content).length > 65_000)
      return fail(413, 'M_TOO_LARGE', 'event too large')
    const root =
      content['m.relates_to']?.rel_type === 'm.thread' && content['m.relates_to']
    const begun = root && this.#events.find(({ event_id }) => event_id === root.event_id)
    if (root && (!begun || begun.content['m.relates_to']))
      return fail(400, 'M_UNKNOWN', 'Cannot start threads from an event with a relation')
    const event_id = `$sent${this.#next++}`
    const event = { event_id, type, sender: botId, room, content }
    this.#transactions.set(transaction, event_id)
    this.sent.push(event)
    this.#events.push(event)
    if (!this.loseNext) return { json: { event_id } }
    this.loseNext = false
    return failed.unavailable
  }

  async #sync({ since, timeout, filter }: Json): Promise<Answer> {
    const from = since === undefined ? 0 : Number(since.slice(1))
    const hasNews = () =>
      this.#events.length > from || this.#ephemeral.length > 0 || this.invites.length > 0
    if (!hasNews() && Number(timeout) > 0)
      await Promise.race([
        new Promise<void>((resolve) => this.#waiting.push(resolve)),
        new Promise((resolve) => setTimeout(resolve, 2_000).unref()),
      ])
    const { limit } = JSON.parse(filter).room.timeline
    const rooms = new Set(this.#events.slice(from).map(({ room }) => room))
    if (this.#ephemeral.length > 0) rooms.add(roomId)
    const join = Object.fromEntries(
      [...rooms].map((room) => [room, this.#read(room, from, limit)]),
    )
    this.#ephemeral = []
    this.#begin()
    const invite = Object.fromEntries(
      this.invites.map((id) => [id, { invite_state: {} }]),
    )
    return { json: { next_batch: `s${this.#events.length}`, rooms: { join, invite } } }
  }

  #read(room: string, from: number, limit: number): Json {
    const all = [...this.#events.entries()].filter(
      ([at, one]) => at >= from && one.room === room,
    )
    const kept = all.slice(-limit)
    const [first = this.#events.length] = kept[0] ?? []
    const events = kept.map(([, event]) => event)
    const limited = kept.length < all.length
    return {
      timeline: { events, limited, prev_batch: `s${first}` },
      ephemeral: { events: room === roomId ? this.#ephemeral : [] },
    }
  }

  #listMessages(room: string, { from, to, limit }: Json): Answer {
    const [end, begin] = [Number(from.slice(1)), Number(to.slice(1))]
    const all = [...this.#events.entries()]
      .slice(begin, end)
      .filter(([, one]) => one.room === room)
      .reverse()
    // Homeservers give fewer events than they are asked for.
    const page = all.slice(0, Math.min(Number(limit), 10))
    const last = page.at(-1)?.[0]
    return {
      json: {
        chunk: page.map(([, event]) => event),
        ...(page.length < all.length && { end: `s${last}` }),
      },
    }
  }

  #readShown({ msgtype, body, url, geo_uri, filename }: Json): Shown {
    const [latitude, longitude] = (geo_uri ?? '')
      .replace('geo:', '')
      .split(',')
      .map(Number)
    const bytes = url && this.#files.get(url.split('/').at(-1))?.length
    return {
      ...(body && body !== filename && { text: body }),
      ...(url && { media: { kind: msgtype.replace('m.', ''), bytes } }),
      ...(geo_uri && { location: { latitude, longitude } }),
    }
  }
}
