// A message that a model is writing: publishes its text to the listeners of a conversation. Nothing
// is stored. The bot's message with the same `metadata.streamId` completes the stream
// (message-signals.ts).

import type { Signal, Signals } from '../../realtime/index.ts'

/** Text that arrives within this time is published together. */
const gatherMs = 40
/**
 * Characters of one signal. A note to other servers has at most 7,000 bytes, and a character at
 * most six.
 */
const maxDelta = 1_000
/** The bot stores its message within this time after the last text. */
const completionMs = 30_000

interface Target {
  botId: string
  conversation: { id: string; fid: string | null; last_number: string }
  streamId: string
  clientMessageId: string | undefined
}

type Publishing = Pick<Signals, 'publish' | 'listen'>

export class MessageStream {
  readonly #signals: Publishing
  readonly #target: Target
  #text = ''
  #sequence = 0
  #timer: NodeJS.Timeout | null = null

  constructor(signals: Publishing, target: Target) {
    this.#signals = signals
    this.#target = target
  }

  /** Publishes the first text at once, and the following gathered. */
  write(text: string): void {
    this.#text += text
    if (this.#timer) return
    this.#flush()
    this.#timer = setTimeout(() => {
      this.#timer = null
      if (this.#text !== '') this.write('')
    }, gatherMs)
  }

  /** Discards everything before: the same stream begins again. */
  abort(): void {
    this.#stopTimer()
    this.#text = ''
    if (this.#sequence > 0) this.#publish('message_stream_abort', {})
    this.#sequence = 0
  }

  /** Publishes the last text. Aborts the stream if no message completes it in time. */
  finish(): void {
    this.#stopTimer()
    this.#flush()
    if (this.#sequence > 0) this.#awaitCompletion()
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #flush(): void {
    while (this.#text !== '') {
      const delta = this.#text.slice(0, endOfDelta(this.#text))
      this.#text = this.#text.slice(delta.length)
      const { clientMessageId } = this.#target
      this.#publish('message_stream_delta', {
        userId: this.#target.botId,
        createdAt: new Date().toISOString(),
        ...(clientMessageId !== undefined && { clientMessageId }),
        sequence: this.#sequence++,
        delta,
      })
    }
  }

  #publish(type: string, more: object): void {
    const { botId, conversation, streamId } = this.#target
    const conversationId = conversation.fid ?? conversation.id
    const data = { streamId, conversationId, ...more }
    this.#signals.publish(botId, conversation.id, null, () => ({ type, data }))
  }

  /** Any server may store the message, so its signal is awaited. */
  #awaitCompletion(): void {
    const { botId, conversation, streamId } = this.#target
    const timer = setTimeout(() => {
      this.abort()
      stop()
    }, completionMs).unref()
    const stop = this.#signals.listen(botId, conversation.id, conversation.last_number, {
      userId: '',
      send(signal) {
        if (!isCompletion(signal, streamId)) return
        clearTimeout(timer)
        queueMicrotask(() => stop())
      },
      end: () => clearTimeout(timer),
    })
  }
}

const isCompletion = ({ type, data }: Signal, streamId: string) =>
  type === 'message_stream_complete' &&
  (data as { streamId: string }).streamId === streamId

/** Returns where to cut, without dividing a character of two units. */
function endOfDelta(text: string): number {
  if (text.length <= maxDelta) return text.length
  const last = text.charCodeAt(maxDelta - 1)
  return last >= 0xd800 && last < 0xdc00 ? maxDelta - 1 : maxDelta
}
