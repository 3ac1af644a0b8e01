// People who talk to a bot through the Chat API, each in a separate conversation. Half of them send
// every message with an Idempotency-Key and repeat it until the server accepts it; the others never
// repeat a message. After a failure they use the next server. Each has a listener that reconnects
// after the last frame it received.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { call, demand, streams } from './http.ts'
import type { Random } from './random.ts'

/** One request, at times of the monotonic clock. */
export interface Attempt {
  at: number
  answeredAt: number
  /** Null without a response. */
  status: number | null
  /** The message of the error. */
  reason: string
  /** The person did not wait any longer, and used the next server. */
  gaveUp: boolean
}

export interface Sent {
  text: string
  /** Null unless the server accepted the message. */
  messageId: string | null
  attempts: Attempt[]
}

export interface Person {
  name: string
  userId: string
  key: string
  conversationId: string
  /** Path of the bot's chat. */
  chatPath: string
  /** Sends each message with an Idempotency-Key. */
  keyed: boolean
  sent: Sent[]
  /** Ids of the messages that the listener received, over all connections. */
  frames: string[]
}

const pauseAfterFailureMs = 100

export async function arrive(
  origin: string,
  { name, chatPath, keyed }: Pick<Person, 'name' | 'chatPath' | 'keyed'>,
): Promise<Person> {
  const chat = origin + chatPath
  const { user, key } = await demand<{ user: { id: string }; key: string }>(
    'POST',
    `${chat}/users`,
    {},
    {},
  )
  const { conversation } = await demand<{ conversation: { id: string } }>(
    'POST',
    `${chat}/conversations`,
    { 'x-user-key': key },
    {},
  )
  const conversationId = conversation.id
  return {
    name,
    chatPath,
    keyed,
    userId: user.id,
    key,
    conversationId,
    sent: [],
    frames: [],
  }
}

interface Talk {
  origins: string[]
  /** How long to wait for a response. */
  patienceMs: number | undefined
  chance: Random
  /** Mean pause between two messages. */
  pauseMs: number
  stop: AbortSignal
  /** When to give up repeating a message. */
  giveUp: AbortSignal
}

/** Sends one message after another. */
export async function talk(
  person: Person,
  { origins, chance, pauseMs, stop, ...rest }: Talk,
) {
  const turns = takeTurns(origins, chance)
  while (!stop.aborted) {
    await say(person, turns, rest)
    await pause(chance.between(0, 2 * pauseMs), undefined, { signal: stop }).catch(
      () => {},
    )
  }
}

interface Turns {
  current(): string
  next(): void
}

function takeTurns(origins: string[], chance: Random): Turns {
  let at = Math.floor(chance.between(0, origins.length))
  return { current: () => origins[at % origins.length]!, next: () => void at++ }
}

interface MessageReply {
  message: { id: string }
}

interface ErrorReply {
  message: string
}

async function say(
  person: Person,
  turns: Turns,
  { patienceMs, giveUp }: Pick<Talk, 'patienceMs' | 'giveUp'>,
) {
  const { key, conversationId, chatPath, keyed } = person
  const sent: Sent = {
    text: `${person.name}-${person.sent.length}`,
    messageId: null,
    attempts: [],
  }
  person.sent.push(sent)
  const headers = { 'x-user-key': key, ...(keyed && { 'idempotency-key': randomUUID() }) }
  const body = { conversationId, payload: { type: 'text', text: sent.text } }
  do {
    const at = performance.now()
    const url = `${turns.current()}${chatPath}/messages`
    const reply = await call<MessageReply | ErrorReply>(
      'POST',
      url,
      headers,
      body,
      patienceMs,
    )
    const { status, timedOut = false } = reply
    const gaveUp = timedOut && patienceMs !== undefined
    const message = reply.body?.message ?? 'not from the server'
    const reason = typeof message === 'string' ? message : ''
    sent.attempts.push({ at, answeredAt: performance.now(), status, reason, gaveUp })
    if (status === 201 && typeof message !== 'string') {
      sent.messageId = message.id
      return
    }
    turns.next()
    await pause(pauseAfterFailureMs)
  } while (keyed && !giveUp.aborted)
}

/** Listens until stopped. Reconnects to the next server when a stream ends. */
export async function listen(person: Person, origins: string[], stop: AbortSignal) {
  const { key, conversationId, chatPath, frames } = person
  for (let at = 0, lastId = '0'; !stop.aborted; at++) {
    const url = `${origins[at % origins.length]}${chatPath}/conversations/${conversationId}/listen`
    const headers = {
      accept: 'text/event-stream',
      'x-user-key': key,
      'last-event-id': lastId,
    }
    try {
      const { statusCode, body } = await request(url, {
        headers,
        signal: stop,
        dispatcher: streams,
      })
      let rest = ''
      for await (const chunk of body.setEncoding('utf8')) {
        if (statusCode !== 200) continue
        const parts = (rest + chunk).split('\n\n')
        rest = parts.pop()!
        for (const part of parts) lastId = receive(part, frames) ?? lastId
      }
    } catch {
      // The server or the connection ended, or the run.
    }
    if (!stop.aborted) await pause(pauseAfterFailureMs)
  }
}

/** Records the message of a frame, and returns the frame's id. */
function receive(frame: string, frames: string[]): string | undefined {
  const data = /^data: ?(.*)$/m.exec(frame)?.[1]
  if (!data || data === 'ping') return undefined
  const { type, data: signal } = JSON.parse(data) as {
    type: string
    data: { id: string }
  }
  if (type === 'message_created') frames.push(signal.id)
  return /^id: ?(.*)$/m.exec(frame)?.[1]
}
