// Cards that send messages, write logs or set tags.
import { toMessageContent } from '../captures/capture.ts'
import { sendMessage } from '../engine/talking.ts'
import { fillHere, type Turn } from '../engine/turn.ts'
import type { CardKind } from './card.ts'

export const send: CardKind<'send'> = {
  async perform(turn, { message, tags, conversationId }) {
    const filled = (await fillHere(turn, { message, tags, conversationId })) as {
      message: unknown
      tags?: Record<string, unknown>
      conversationId?: string
    }
    await sendMessage(turn, toMessageContent(filled.message), {
      ...(filled.tags && { tags: texts(filled.tags) }),
      conversationId: filled.conversationId || undefined,
    })
  },
}

export const log: CardKind<'log'> = {
  async perform(turn, { level = 'info', message }) {
    turn.engine.log(level, String(await fillHere(turn, message)))
  },
}

const tagged = {
  conversation: 'conversationId',
  user: 'userId',
  message: 'messageId',
} as const

export const tag: CardKind<'tag'> = {
  async perform(turn, { of, tags }) {
    const id = turn.event[tagged[of]]
    if (id === undefined) throw new TypeError(`The event has no ${of} to tag`)
    const given = texts((await fillHere(turn, tags)) as Record<string, unknown>)
    await turn.engine.platform({
      method: 'PUT',
      path: `/v1/chat/${of}s/${encodeURIComponent(id)}`,
      body: { tags: given },
      cause: turn.delivered.id,
    })
    remember(turn, of, given)
  },
}

/** Updates the event, so that later cards of the turn see the tags. */
function remember(
  { event }: Turn,
  of: keyof typeof tagged,
  given: Record<string, string>,
) {
  event.tags = { ...event.tags, [of]: { ...event.tags?.[of], ...given } }
}

/** Converts evaluated values to texts, because expressions return values of any type. */
export const texts = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === null || value === undefined ? '' : String(value),
    ]),
  )
