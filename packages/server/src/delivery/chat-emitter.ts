// The outgoing webhook of the Chat API: POSTs each signal of a chat's conversations, in and out, to the URL that
// the chat's installation is configured with, whatever its alias. At most once, beside the streams, in order per
// conversation; failures go to the bot's log.
import type { BotLogWriter } from '../bots/bot-log-writer.ts'
import type { Db } from '../db/open.ts'
import { listChatAliases } from '../integrations/installations.ts'
import { InvocationFailed } from '../invocation/invocation.ts'
import type { Outgoing } from '../invocation/outgoing.ts'
import { openCache } from '../lib/cache.ts'
import { findConversationAlias } from '../messaging/conversations.ts'
import type { Signals } from '../realtime/signals.ts'
import type { Targets } from './targets.ts'

const timeoutMs = 10_000
/** Signals of one conversation that may wait for a slow receiver. */
const mostWaiting = 200

export interface ChatEmitter {
  forget(botId: string): void
  close(): Promise<void>
}

interface Receiver {
  /** Of the bot: its workspace set the URL. */
  workspaceId: string
  url: string
  headers: Record<string, string>
}

/** By the alias of the chat's installation. */
type Receivers = ReadonlyMap<string, Receiver>

interface Deps {
  db: Db
  targets: Targets
  logs: BotLogWriter
  outgoing: Outgoing
}

export function chatEmitter({ db, targets, logs, outgoing }: Deps, signals: Signals): ChatEmitter {
  const receivers = new Map<string, Promise<Receivers>>()
  /** A conversation keeps its alias for life. */
  const aliases = openCache<string | null>(
    (key) => findConversationAlias(db, ...(JSON.parse(key) as [string, string])),
    { size: 2_000, ttlMs: 3_600_000 },
  )
  const queues = new Map<string, { last: Promise<void>; waiting: number }>()

  const receiversOf = (botId: string) => {
    let found = receivers.get(botId)
    if (!found) {
      found = findReceivers(db, targets, botId)
      receivers.set(botId, found)
      found.catch(() => receivers.delete(botId))
      if (receivers.size > 10_000) receivers.delete(receivers.keys().next().value!)
    }
    return found
  }
  const emit = async (botId: string, conversationId: string, body: string) => {
    const alias = await aliases.get(JSON.stringify([botId, conversationId]))
    const receiver = alias === null ? undefined : (await receiversOf(botId)).get(alias)
    if (!receiver) return
    const send = await outgoing.for(receiver.workspaceId)
    const { statusCode, body: answer } = await send(receiver.url, {
      method: 'POST',
      headers: receiver.headers,
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.dump()
    if (statusCode >= 300) throw new Error(`answered ${statusCode}`)
  }

  signals.onPublished = (botId, conversationId, signal) => {
    void receiversOf(botId)
      .then(({ size }) => {
        if (size === 0) return
        const { type, data } = signal()
        const name = `${botId} ${conversationId}`
        const queue = queues.get(name) ?? { last: Promise.resolve(), waiting: 0 }
        if (queue.waiting >= mostWaiting) return warn(botId, 'too many signals wait for it')
        queue.waiting++
        queue.last = queue.last
          .then(() => emit(botId, conversationId, JSON.stringify({ type, data })))
          .catch((error: Error) =>
            warn(botId, error instanceof InvocationFailed ? error.detail : error.message),
          )
          .finally(() => --queue.waiting === 0 && queues.delete(name))
        queues.set(name, queue)
      })
      .catch(() => {}) // the database is away; the stream is served all the same
  }
  const warn = (botId: string, reason: string) =>
    logs.write(botId, {
      level: 'warn',
      message: `The chat webhook could not be told of a signal: ${reason}`,
      at: new Date(),
    })

  return {
    forget: (botId) => void receivers.delete(botId),
    async close() {
      await Promise.race([
        Promise.all([...queues.values()].map(({ last }) => last)),
        new Promise((resolve) => setTimeout(resolve, 1_000).unref()),
      ])
    },
  }
}

async function findReceivers(db: Db, targets: Targets, botId: string): Promise<Receivers> {
  const aliases = await listChatAliases(db, botId)
  const found = await Promise.all(
    aliases.map(async (alias) => [alias, await findReceiver(targets, botId, alias)] as const),
  )
  return new Map(found.filter((one): one is [string, Receiver] => one[1] !== null))
}

async function findReceiver(targets: Targets, botId: string, alias: string): Promise<Receiver | null> {
  const chat = await targets.integration(botId, alias)
  const { webhookUrl, webhookSecret } = chat?.configuration ?? {}
  if (!chat?.enabled || typeof webhookUrl !== 'string' || !URL.canParse(webhookUrl)) return null
  return {
    workspaceId: chat.workspaceId,
    // A slash at the end, as the original's client joins its base address with nothing.
    url: webhookUrl.endsWith('/') ? webhookUrl : `${webhookUrl}/`,
    headers: {
      'content-type': 'application/json',
      ...(typeof webhookSecret === 'string' && webhookSecret && { 'x-secret-key': webhookSecret }),
    },
  }
}
