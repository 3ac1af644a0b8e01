// What can be measured: a place to talk to a bot, in whatever protocol. And the two clients that all of them are driven with.
import { Agent, type Dispatcher, Pool } from 'undici'

/** One person in one conversation. */
export interface Talk {
  /** Says something; resolves when the bot's answer was heard. */
  turn(text: string): Promise<void>
  close(): void
}

export interface Place {
  name: string
  /** The processes that do the work, the database apart. */
  pids: number[]
  openTalk(): Promise<Talk>
}

/** A place whose parts can also be measured one by one. */
export interface OpenPlace extends Place {
  openConversation(): Promise<Conversation>
  /** Ends the bot's process, so that the next turn starts it. */
  coolBot(): Promise<void>
}

export interface Conversation {
  id: string
  post(text: string): Promise<void>
  /** Posts as the bot: no delivery follows. */
  postAsBot(text: string): Promise<void>
  listMessages(): Promise<number>
  listen(onFrame: (frame: string) => void): Promise<{ close(): void }>
}

export class Http {
  readonly #pool: Pool
  readonly #streams: Agent

  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
    this.#pool = new Pool(origin, { connections: 64, pipelining: 1, headersTimeout: 60_000 })
    this.#streams = new Agent({ bodyTimeout: 0, headersTimeout: 60_000 })
  }

  async call<Reply = unknown>(
    method: Dispatcher.HttpMethod,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ): Promise<Reply> {
    const reply = await this.#pool.request({
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await reply.body.text()
    if (reply.statusCode >= 300)
      throw new Error(`${method} ${path} answered ${reply.statusCode}: ${text.slice(0, 300)}`)
    return JSON.parse(text || '{}') as Reply
  }

  /** Hears the data of each server-sent event. Resolves when the stream has begun. */
  async listen(
    path: string,
    headers: Record<string, string>,
    onFrame: (data: string) => void,
  ): Promise<{ close(): void }> {
    const reply = await this.#streams.request({
      origin: this.origin,
      method: 'GET',
      path,
      headers: { accept: 'text/event-stream', ...headers },
    })
    if (reply.statusCode !== 200)
      throw new Error(`GET ${path} answered ${reply.statusCode}: ${await reply.body.text()}`)
    let rest = ''
    reply.body.setEncoding('utf8')
    reply.body.on('error', () => {})
    reply.body.on('data', (chunk: string) => {
      const frames = (rest + chunk).split('\n\n')
      rest = frames.pop()!
      for (const frame of frames) {
        const at = frame.startsWith('data:') ? 0 : frame.indexOf('\ndata:') + 1
        if (at > 0 || frame.startsWith('data:')) onFrame(frame.slice(at + 5))
      }
    })
    return { close: () => reply.body.destroy() }
  }

  async close() {
    await Promise.all([this.#pool.destroy(), this.#streams.destroy()])
  }
}

/** One turn at a time, over a stream that hears the bot. */
export async function talkIn(conversation: Conversation): Promise<Talk> {
  let heard = () => {}
  const stream = await conversation.listen((frame) => {
    if (frame.includes('"isBot":true')) heard()
  })
  return {
    async turn(text) {
      const answered = new Promise<void>((resolve) => {
        heard = resolve
      })
      await conversation.post(text)
      await answered
    },
    close: () => stream.close(),
  }
}
