// Typing indicators: transient signals to the listeners of a conversation.

import type { Signal, Signals } from '../../realtime/index.ts'

/** After this time without a repetition, clients hide the indicator. */
const usualTimeoutMs = 30_000

interface Typing {
  isTyping: boolean
  timeout?: number | undefined
}

interface Writer {
  botId: string
  /** The id that chat clients see. */
  conversationId: string
  /** The id of the user that chat clients see; by default, the bot writes. */
  userId?: string | undefined
  /** A person writes in place of the bot. */
  isPerson?: boolean | undefined
}

export function typingSignal(
  { botId, conversationId, userId = botId, isPerson = false }: Writer,
  { isTyping, timeout = usualTimeoutMs }: Typing,
): Pick<Signal, 'type' | 'data'> {
  const data = { conversationId, userId, isBot: userId === botId && !isPerson }
  return isTyping
    ? { type: 'typing_started', data: { ...data, timeout } }
    : { type: 'typing_stopped', data }
}

interface Place {
  botId: string
  isPerson?: boolean
  conversation: { id: string; fid: string | null }
}

/** `user` is null for the bot, and for a person in place of the bot. */
export function publishTyping(
  { signals }: { signals: Pick<Signals, 'publish'> },
  { botId, conversation, isPerson }: Place,
  user: { id: string; fid: string | null } | null,
  typing: Typing,
): void {
  const conversationId = conversation.fid ?? conversation.id
  const writer = { botId, conversationId, userId: user?.fid ?? user?.id, isPerson }
  signals.publish(botId, conversation.id, null, () => typingSignal(writer, typing))
}
