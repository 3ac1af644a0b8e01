// The notes of one open page (core/realtime/change-feed.ts): those that its caller may see, as
// roles and allow-lists are when the note is sent.
import {
  type ChangeNote,
  may,
  type Operation,
  topicPermissions,
} from '@botstead/contract'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../http/index.ts'
import {
  authentication,
  type EventStream,
  type HttpServices,
  isVisibleBot,
} from '../http/index.ts'
import type { FeedEntry, Follower } from './change-feed.ts'

interface LiveFilter {
  botId?: string | undefined
  topics?: readonly string[] | undefined
}

interface Listening {
  services: HttpServices
  operation: Operation
  request: FastifyRequest
  filter: LiveFilter
}

const reset = '{"topic":"reset"}'

/** JSON of the notes, which all followers share. */
const texts = new WeakMap<ChangeNote, string>()

export class LiveStream implements Follower {
  readonly #listening: Listening
  readonly #stream: EventStream
  #caller: Caller<'workspace'>
  /** Sends in order, because it may wait for an allow-list. */
  #sending: Promise<void> = Promise.resolve()
  #mustRecheck = false
  /** The page reads too slowly: notes are dropped, and it gets `reset` afterwards. */
  #isBehind = false
  /** The position of the last note that the feed has sent here. */
  #lastId: string | null = null

  constructor(listening: Listening, caller: Caller<'workspace'>, stream: EventStream) {
    this.#listening = listening
    this.#caller = caller
    this.#stream = stream
  }

  /** Sends the first note, and those that the page missed while it was disconnected. */
  begin(position: string, missed: FeedEntry[] | null): void {
    const at = missed?.[0] ? null : position
    this.#stream.sendJson(at, missed ? '{"topic":"ready"}' : reset)
    if (missed) this.receive(missed)
  }

  receive(entries: FeedEntry[]): void {
    this.#lastId = entries.at(-1)?.id ?? this.#lastId
    if (!this.#isBehind) this.#sending = this.#sending.then(() => this.#sendAll(entries))
  }

  async #sendAll(entries: FeedEntry[]): Promise<void> {
    for (const { id, note } of entries) {
      const ready = this.#stream.ready()
      if (ready) return this.#catchUp(ready)
      if (await this.#isVisible(note).catch(() => false))
        this.#stream.sendJson(id, toJson(note))
    }
  }

  async #catchUp(ready: Promise<void>): Promise<void> {
    this.#isBehind = true
    await ready
    this.#isBehind = false
    this.#stream.sendJson(this.#lastId, reset)
  }

  async #isVisible({ topic, botId }: ChangeNote): Promise<boolean> {
    if (topic === 'ready' || topic === 'reset') return true
    const { services, filter } = this.#listening
    if (filter.topics && !filter.topics.includes(topic)) return false
    if (filter.botId !== undefined && botId !== undefined && botId !== filter.botId)
      return false
    if (!may(this.#caller.role, topicPermissions[topic])) return false
    return botId === undefined || isVisibleBot(services, this.#caller, botId)
  }

  recheck(): void {
    if (this.#mustRecheck) return
    this.#mustRecheck = true
    this.#sending = this.#sending.then(() => this.#admitAgain()).catch(() => this.end())
  }

  async #admitAgain(): Promise<void> {
    this.#mustRecheck = false
    const { services, operation, request } = this.#listening
    this.#caller = await authentication.readmit(services, operation, request)
  }

  get accountId() {
    return this.#caller.accountId
  }

  end(): void {
    this.#stream.end()
  }
}

function toJson(note: ChangeNote): string {
  const known = texts.get(note)
  if (known) return known
  const text = JSON.stringify(note)
  texts.set(note, text)
  return text
}
