// The outgoing webhook of the Chat API. POSTs each signal of a chat's conversations, in both directions, to
// the URL in the configuration of the chat installation, whatever its alias. Delivers at most once and in
// order per conversation, independently of the streams. Failures go to the bot's log.

import type { Db } from '../../infra/db/open.ts'
import { openCache } from '../../infra/lib/cache.ts'
import type { Signals } from '../../infra/realtime/signals.ts'
import { InvocationFailed } from '../../infra/sandbox/invocation/invocation.ts'
import type { Outgoing } from '../../infra/sandbox/invocation/outgoing.ts'
import type { BotLogWriter } from '../bots/bot-log-writer.ts'
import { listChatAliases } from '../catalog/integrations/installations.ts'
import { findConversationAlias } from '../messaging/conversations.ts'
import type { Targets } from './targets.ts'

const timeoutMs = 10_000
/** Maximum pending signals of one conversation when the receiver is slow. */
const maxPending = 200

export interface ChatEmitter {
  forget(botId: string): void
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
  logs: BotLogWriter
  outgoing: Outgoing
}

export function chatEmitter({ db, targets, logs, outgoing }: Deps, signals: Signals): ChatEmitter {
  const receivers = new Map<string, Promise<Receivers>>()
  /** Cached for long because the alias of a conversation never changes. */
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
        if (queue.waiting >= maxPending) return warn(botId, 'too many signals are pending')
        queue.waiting++
        queue.last = queue.last
          .then(() => emit(botId, conversationId, JSON.stringify({ type, data })))
          .catch((error: Error) =>
            warn(botId, error instanceof InvocationFailed ? error.detail : error.message),
          )
          .finally(() => --queue.waiting === 0 && queues.delete(name))
        queues.set(name, queue)
      })
      .catch(() => {}) // the database is not available; streams continue to work
  }
  const warn = (botId: string, reason: string) =>
    logs.write(botId, {
      level: 'warn',
      message: `A signal could not be sent to the chat webhook: ${reason}`,
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
    // With a trailing slash: the original client adds one when it joins its base address with an empty path.
    url: webhookUrl.endsWith('/') ? webhookUrl : `${webhookUrl}/`,
    headers: {
      'content-type': 'application/json',
      ...(typeof webhookSecret === 'string' && webhookSecret && { 'x-secret-key': webhookSecret }),
    },
  }
}
