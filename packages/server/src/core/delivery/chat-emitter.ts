// The outgoing webhook of the Chat API. POSTs each signal of a chat's conversations, in both
// directions, to the URL in the configuration of the chat installation, regardless of its alias.
// Delivers at most once and in order per conversation, independently of the streams. Failures go to
// the bot's log.
import { signals as chatSignals } from '@botstead/contract'
import { type Cache, openCache } from '@botstead/lib'
import { InvocationFailed } from '@botstead/sandbox'
import type { createBotLogWriter } from '../bots/index.ts'
import { installationStore } from '../catalog/index.ts'
import type { Db } from '../db/index.ts'
import { conversationStore } from '../messaging/index.ts'
import { type Outgoing, toUnreachable } from '../outgoing/index.ts'
import type { Signal, Signals } from '../realtime/index.ts'
import type { Targets } from './calls/targets.ts'

const timeoutMs = 10_000
/** Maximum pending signals of one conversation when the receiver is slow. */
const maxPending = 200

export interface ChatEmitter {
  invalidate(botId: string): void
  close(): Promise<void>
}

interface Receiver {
  /** Workspace of the bot, since it set the URL. */
  workspaceId: string
  url: string
  headers: Record<string, string>
}

/** Receivers by alias of the chat installation. */
type Receivers = ReadonlyMap<string, Receiver>

interface Deps {
  db: Db
  targets: Targets
  logs: ReturnType<typeof createBotLogWriter>
  outgoing: Outgoing
  signals: Signals
}

export function createChatEmitter(deps: Deps): ChatEmitter {
  const sender = new Sender(deps)
  deps.signals.onPublished = (...published) => sender.published(...published)
  return sender
}

class Sender implements ChatEmitter {
  readonly #deps: Deps
  readonly #receivers = new Map<string, Promise<Receivers>>()
  /** Cached for long because the alias of a conversation never changes. */
  readonly #aliases: Cache<string | null>
  /** Pending signals by conversation. */
  readonly #queues = new Map<string, { last: Promise<void>; waiting: number }>()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#aliases = openCache<string | null>(
      (key) =>
        conversationStore.findAlias(deps.db, ...(JSON.parse(key) as [string, string])),
      { size: 2_000, ttlMs: 3_600_000 },
    )
  }

  published(botId: string, conversationId: string, signals: () => Signal[]): void {
    void this.#receiversOf(botId)
      .then(({ size }) => {
        if (size === 0) return
        for (const signal of signals())
          if (chatSignals.isSignalType(signal.type))
            this.#enqueue(botId, conversationId, signal)
      })
      .catch(() => {}) // the database is not available; streams continue to work
  }

  #enqueue(botId: string, conversationId: string, { type, data }: Signal): void {
    const name = `${botId} ${conversationId}`
    const queue = this.#queues.get(name) ?? { last: Promise.resolve(), waiting: 0 }
    if (queue.waiting >= maxPending)
      return void this.#warn(botId, 'too many signals are pending')
    queue.waiting++
    queue.last = queue.last
      .then(() => this.#send(botId, conversationId, JSON.stringify({ type, data })))
      .catch((error: Error) =>
        this.#warn(
          botId,
          error instanceof InvocationFailed ? error.detail : error.message,
        ),
      )
      .finally(() => --queue.waiting === 0 && this.#queues.delete(name))
    this.#queues.set(name, queue)
  }

  async #send(botId: string, conversationId: string, body: string): Promise<void> {
    const alias = await this.#aliases.get(JSON.stringify([botId, conversationId]))
    const receiver =
      alias === null ? undefined : (await this.#receiversOf(botId)).get(alias)
    if (!receiver) return
    const send = await this.#deps.outgoing.for(receiver.workspaceId)
    const { statusCode, body: answer } = await send(receiver.url, {
      method: 'POST',
      headers: receiver.headers,
      body,
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error) => {
      throw toUnreachable(error, receiver.url)
    })
    await answer.dump()
    if (statusCode >= 300) throw new Error(`answered ${statusCode}`)
  }

  #receiversOf(botId: string): Promise<Receivers> {
    const receivers = this.#receivers
    let found = receivers.get(botId)
    if (!found) {
      found = findReceivers(this.#deps.db, this.#deps.targets, botId)
      receivers.set(botId, found)
      found.catch(() => receivers.delete(botId))
      if (receivers.size > 10_000) receivers.delete(receivers.keys().next().value!)
    }
    return found
  }

  #warn(botId: string, reason: string): void {
    this.#deps.logs.write(botId, {
      level: 'warn',
      message: `A signal could not be sent to the chat webhook: ${reason}`,
      at: new Date(),
    })
  }

  invalidate(botId: string): void {
    this.#receivers.delete(botId)
  }

  async close(): Promise<void> {
    await Promise.race([
      Promise.all([...this.#queues.values()].map(({ last }) => last)),
      new Promise((resolve) => setTimeout(resolve, 1_000).unref()),
    ])
  }
}

async function findReceivers(
  db: Db,
  targets: Targets,
  botId: string,
): Promise<Receivers> {
  const aliases = await installationStore.listChatAliases(db, botId)
  const found = await Promise.all(
    aliases.map(
      async (alias) => [alias, await findReceiver(targets, botId, alias)] as const,
    ),
  )
  return new Map(found.filter((one): one is [string, Receiver] => one[1] !== null))
}

async function findReceiver(
  targets: Targets,
  botId: string,
  alias: string,
): Promise<Receiver | null> {
  const chat = await targets.integration(botId, alias)
  const { webhookUrl, webhookSecret } = chat?.configuration ?? {}
  if (!chat?.enabled || typeof webhookUrl !== 'string' || !URL.canParse(webhookUrl))
    return null
  return {
    workspaceId: chat.workspaceId,
    // With a trailing slash: the original client adds one when it joins its base address with an
    // empty path.
    url: webhookUrl.endsWith('/') ? webhookUrl : `${webhookUrl}/`,
    headers: {
      'content-type': 'application/json',
      ...(typeof webhookSecret === 'string' &&
        webhookSecret && { 'x-secret-key': webhookSecret }),
    },
  }
}
