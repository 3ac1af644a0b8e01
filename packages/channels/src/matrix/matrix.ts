// Matrix by its client-server API. The server asks for events, so that no public address is needed.
import {
  type Channel,
  ChannelError,
  type Context,
  type OutgoingMessage,
} from '../channel.ts'
import { toRichText } from '../text/rich-text.ts'
import { call, checkHomeserver, findOwnId, toPath } from './api.ts'
import { toTextFields } from './formatting.ts'
import { toParts } from './sending.ts'
import { receiveEvents } from './sync.ts'

export const matrixChannel: Channel = {
  usesConnection: () => true,

  toAccount: ({ homeserver, accessToken }) =>
    [homeserver, accessToken].map((value) => String(value).trim()).join(' '),

  async check(context) {
    await checkHomeserver(context)
    const name = await findOwnId(context)
    return { name, link: `https://matrix.to/#/${name}` }
  },

  connect: receiveEvents,

  async *send(context, message) {
    const roomId = toRoom(message.conversation.tags)
    const parts = await toParts(context, message)
    for (let i = message.sentParts; i < parts.length; i++) {
      const content = { ...(await parts[i]!()), ...toRelation(message, i === 0) }
      // The homeserver answers a repeated attempt with the event that it has.
      const id = await sendEvent(
        context,
        roomId,
        'm.room.message',
        content,
        `${message.id}-${i}`,
      )
      yield { tags: { id, roomId } }
    }
  },

  async toConversation(_, address) {
    if (/^![^\s/]{1,254}$/.test(address))
      return { channel: 'channel', tags: { id: address } }
    throw new ChannelError('rejected', 'The id of a room begins with an exclamation mark')
  },

  actions: {
    startTypingIndicator: (context, input) => setTyping(context, input, true),
    stopTypingIndicator: (context, input) => setTyping(context, input, false),

    async addReaction(context, { messageId, reaction }) {
      const { id, roomId } = await findEvent(context, messageId)
      const relation = { rel_type: 'm.annotation', event_id: id, key: String(reaction) }
      await sendEvent(context, roomId, 'm.reaction', { 'm.relates_to': relation })
      return {}
    },

    async updateMessage(context, { messageId, text }) {
      const { id, roomId } = await findEvent(context, messageId)
      const fields = toTextFields(toRichText(String(text).slice(0, maxEdit)))
      await sendEvent(context, roomId, 'm.room.message', {
        ...fields,
        body: `* ${fields.body}`,
        'm.new_content': fields,
        'm.relates_to': { rel_type: 'm.replace', event_id: id },
      })
      return {}
    },

    async deleteMessage(context, { messageId }) {
      const { id, roomId } = await findEvent(context, messageId)
      const path = toPath('rooms', roomId, 'redact', id, crypto.randomUUID())
      await call(context, path, { method: 'PUT', body: {} })
      return {}
    },
  },
}

/** A text twice is in one event. */
const maxEdit = 4_000
const typingMs = 20_000

/** Throws ChannelError ("rejected"). */
function toRoom({ id }: Record<string, string>): string {
  if (id) return id
  throw new ChannelError(
    'rejected',
    'The conversation has no tag `id`, the id of its room',
  )
}

async function sendEvent(
  context: Context,
  roomId: string,
  type: string,
  content: Record<string, unknown>,
  transactionId: string = crypto.randomUUID(),
): Promise<string> {
  const path = toPath('rooms', roomId, 'send', type, transactionId)
  const { event_id: id } = await call(context, path, { method: 'PUT', body: content })
  return String(id ?? '')
}

/**
 * A reply to a message names it as messages of people do: `replyTo: { id }`. Clients without threads show a
 * message of a thread as a reply to the one that began it.
 */
function toRelation({ payload, conversation }: OutgoingMessage, isFirst: boolean) {
  const id = isFirst && (payload.replyTo as { id?: unknown } | undefined)?.id
  const original = typeof id === 'string' && id !== '' ? id : undefined
  const { thread } = conversation.tags
  const inReplyTo = original ?? thread
  if (!inReplyTo) return {}
  const inThread = thread && {
    rel_type: 'm.thread',
    event_id: thread,
    is_falling_back: original === undefined,
  }
  return { 'm.relates_to': { ...inThread, 'm.in_reply_to': { event_id: inReplyTo } } }
}

async function setTyping(
  context: Context,
  { conversationId }: Record<string, unknown>,
  typing: boolean,
) {
  const conversation = await context.host.findConversation(String(conversationId))
  if (!conversation) return {}
  const path = toPath(
    'rooms',
    toRoom(conversation.tags),
    'typing',
    await findOwnId(context),
  )
  const body = typing ? { typing, timeout: typingMs } : { typing }
  await call(context, path, { method: 'PUT', body })
  return {}
}

/** Throws ChannelError ("rejected") for a message that is not in a room. */
async function findEvent({ host, installation }: Context, messageId: unknown) {
  const tags = (await host.findMessage(String(messageId)))?.tags ?? {}
  const [id, roomId] = ['id', 'roomId'].map(
    (name) => tags[`${installation.alias}:${name}`],
  )
  if (!id || !roomId)
    throw new ChannelError(
      'rejected',
      `No message "${messageId}" of this bot is in a Matrix room`,
    )
  return { id: id.replace(/#\d+$/, ''), roomId }
}
