// The outgoing webhook of the Chat API: each signal of a bot's conversations, in and out, is POSTed to where the chat integration's
// configuration says. At most once, beside the streams, in order per conversation; a failure is the bot owner's to see, in the bot's log.
import { Agent, request } from 'undici'
import type { BotLogWriter } from '../bots/bot-log-writer.ts'
import type { Signals } from '../realtime/signals.ts'
import type { Targets } from './targets.ts'

const chatAlias = 'chat'
const timeoutMs = 10_000
/** Signals of one conversation that may wait for a slow receiver. */
const mostWaiting = 200

export interface ChatEmitter {
  forget(botId: string): void
  close(): Promise<void>
}

interface Receiver {
  url: string
  headers: Record<string, string>
}

export function chatEmitter(targets: Targets, logs: BotLogWriter, signals: Signals): ChatEmitter {
  const agent = new Agent({ connect: { timeout: timeoutMs } })
  const receivers = new Map<string, Promise<Receiver | null>>()
  const queues = new Map<string, { last: Promise<void>; waiting: number }>()

  const receiverOf = (botId: string) => {
    let receiver = receivers.get(botId)
    if (!receiver) {
      receiver = findReceiver(targets, botId)
      receivers.set(botId, receiver)
      receiver.catch(() => receivers.delete(botId))
      if (receivers.size > 10_000) receivers.delete(receivers.keys().next().value!)
    }
    return receiver
  }
  const emit = async (botId: string, body: string) => {
    const receiver = await receiverOf(botId)
    if (!receiver) return
    const { statusCode, body: answer } = await request(receiver.url, {
      method: 'POST',
      headers: receiver.headers,
      body,
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.dump()
    if (statusCode >= 300) throw new Error(`answered ${statusCode}`)
  }

  signals.onPublished = (botId, conversationId, signal) => {
    void receiverOf(botId)
      .then((receiver) => {
        if (!receiver) return
        const { type, data } = signal()
        const name = `${botId} ${conversationId}`
        const queue = queues.get(name) ?? { last: Promise.resolve(), waiting: 0 }
        if (queue.waiting >= mostWaiting) return warn(botId, 'too many signals wait for it')
        queue.waiting++
        queue.last = queue.last
          .then(() => emit(botId, JSON.stringify({ type, data })))
          .catch((error: Error) => warn(botId, error.message))
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
      await agent.destroy()
    },
  }
}

async function findReceiver(targets: Targets, botId: string): Promise<Receiver | null> {
  const chat = await targets.integration(botId, chatAlias)
  const { webhookUrl, webhookSecret } = chat?.configuration ?? {}
  if (!chat?.enabled || typeof webhookUrl !== 'string' || !URL.canParse(webhookUrl)) return null
  return {
    // A slash at the end, as the original's client joins its base address with nothing.
    url: webhookUrl.endsWith('/') ? webhookUrl : `${webhookUrl}/`,
    headers: {
      'content-type': 'application/json',
      ...(typeof webhookSecret === 'string' && webhookSecret && { 'x-secret-key': webhookSecret }),
    },
  }
}
