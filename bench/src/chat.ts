// Interfaces of the measured chat servers, for any protocol, and the clients that drive them.
import { Agent, type Dispatcher, Pool } from 'undici'

/** One user in one conversation. */
export interface Talk {
  /** Sends a message; resolves when the bot's answer arrives. */
  turn(text: string): Promise<void>
  close(): void
}

export interface ChatServer {
  name: string
  /** Ids of the server and bot processes, without the database. */
  pids: number[]
  openTalk(): Promise<Talk>
}

/** A server with separate operations, to measure them one by one. */
export interface OpenChatServer extends ChatServer {
  openConversation(): Promise<Conversation>
  /** Stops the bot's process; the next turn starts it. */
  coolBot(): Promise<void>
}

export interface Conversation {
  id: string
  post(text: string): Promise<void>
  /** Posts as the bot, which causes no delivery. */
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
    this.#pool = new Pool(origin, {
      connections: 64,
      pipelining: 1,
      headersTimeout: 60_000,
    })
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
      throw new Error(
        `${method} ${path} returned status ${reply.statusCode}: ${text.slice(0, 300)}`,
      )
    return JSON.parse(text || '{}') as Reply
  }

  /** Calls onFrame with the data of each server-sent event. Resolves when the stream is open. */
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
      throw new Error(
        `GET ${path} returned status ${reply.statusCode}: ${await reply.body.text()}`,
      )
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

/** Opens a stream and sends one turn at a time. */
export async function talkIn(conversation: Conversation): Promise<Talk> {
  let onAnswer = () => {}
  const stream = await conversation.listen((frame) => {
    if (frame.includes('"isBot":true')) onAnswer()
  })
  return {
    async turn(text) {
      const answered = new Promise<void>((resolve) => {
        onAnswer = resolve
      })
      await conversation.post(text)
      await answered
    },
    close: () => stream.close(),
  }
}
