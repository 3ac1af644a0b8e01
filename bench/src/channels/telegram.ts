// A part of Telegram's Bot API on this machine: people write at a steady rate, and each answer of the bot is
// timed (https://core.telegram.org/bots/api). Updates stay until a request for later ones confirms them.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface Poll {
  offset: number
  response: ServerResponse
}

type Parameters = Record<string, unknown>

/** A message, at a time of the monotonic clock. */
export interface ChatMessage {
  chat: number
  text: string
  at: number
}

const pollMs = 50_000

export class Telegram {
  url = ''
  /** Milliseconds from each message to its answer. */
  readonly times: number[] = []
  /** Messages of the bots, in the order of their arrival. */
  readonly sent: ChatMessage[] = []
  /** Times of the requests for updates. */
  readonly polledAt: number[] = []
  /** Requests for updates that another one has ended: two programs asked at the same time. */
  conflicts = 0
  readonly #writtenAt = new Map<string, number>()
  readonly #updates = new Map<string, { id: number; update: object }[]>()
  readonly #waiting = new Map<string, Poll>()
  #next = 1
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy())
  })

  async open() {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close() {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** A person writes to a bot. The bot answers with a text that contains theirs. */
  write(token: string, chat: number): ChatMessage {
    const id = this.#next++
    const text = `message-${id}.`
    const from = { id: chat, is_bot: false, first_name: `Person ${chat}` }
    const message = {
      message_id: id,
      from,
      chat: { id: chat, type: 'private', first_name: from.first_name },
      date: Math.floor(Date.now() / 1_000),
      text,
    }
    const at = performance.now()
    this.#writtenAt.set(text, at)
    const all = this.#updates.get(token) ?? []
    all.push({ id, update: { update_id: id, message } })
    this.#updates.set(token, all)
    this.#deliver(token)
    return { chat, text, at }
  }

  get unanswered() {
    return this.#writtenAt.size
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const [, token = '', method] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? '') ?? []
    const parameters = (await json(request).catch(() => ({}))) as Parameters
    if (method === 'getUpdates') return this.#poll(token, parameters, response)
    if (method === 'sendMessage') this.#keep(parameters)
    reply(response, this.#toResult(token, method, parameters))
  }

  #toResult(
    token: string,
    method: string | undefined,
    { chat_id: id }: Parameters,
  ): unknown {
    if (method === 'getMe')
      return {
        id: 1,
        is_bot: true,
        first_name: 'Bot',
        username: `bot_${token.split(':')[0]}`,
      }
    return method === 'sendMessage'
      ? { message_id: this.#next++, date: 0, chat: { id } }
      : true
  }

  #keep({ chat_id: chat, text }: Parameters) {
    const at = performance.now()
    this.sent.push({ chat: Number(chat), text: String(text), at })
    const [written = ''] = /message-\d+\./.exec(String(text)) ?? []
    const writtenAt = this.#writtenAt.get(written)
    if (writtenAt === undefined) return
    this.times.push(at - writtenAt)
    this.#writtenAt.delete(written)
  }

  #poll(token: string, { offset = 0 }: Parameters, response: ServerResponse) {
    this.polledAt.push(performance.now())
    this.#endOther(token)
    this.#waiting.set(token, { offset: Number(offset), response })
    const timer = setTimeout(() => this.#deliver(token, true), pollMs)
    response.on('close', () => {
      clearTimeout(timer)
      if (this.#waiting.get(token)?.response === response) this.#waiting.delete(token)
    })
    this.#deliver(token)
  }

  /** Only one program receives the updates of a bot. */
  #endOther(token: string) {
    const other = this.#waiting.get(token)
    if (!other) return
    this.conflicts++
    const description = 'Conflict: terminated by other getUpdates request'
    other.response
      .writeHead(409, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: false, error_code: 409, description }))
  }

  #deliver(token: string, isOver = false) {
    const poll = this.#waiting.get(token)
    if (!poll) return
    const left = (this.#updates.get(token) ?? []).filter(({ id }) => id >= poll.offset)
    this.#updates.set(token, left)
    if (left.length === 0 && !isOver) return
    this.#waiting.delete(token)
    reply(
      poll.response,
      left.slice(0, 100).map(({ update }) => update),
    )
  }
}

const reply = (response: ServerResponse, result: unknown) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ok: true, result }))
