import type {
  Handlers,
  WebchatMessage,
  webchat,
  webchatSignals,
} from '@botstead/contract'
import type { Caller, Contexts, HttpServices, Services } from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import {
  lookUpForUser,
  type NamedConversation,
  type NamedUser,
} from '../../chat/chat-lookups.ts'
import { findLastMessages, listChatMessages } from '../../chat/chat-messages.ts'
import { recentStart } from '../../messages/message-signals.ts'
import { listParticipants } from '../../participants.ts'
import type { MessagingServices } from '../../services.ts'
import { findUser } from '../../users.ts'
import { conversationFor, requireParticipation } from '../chat/access.ts'
import {
  conversations as chatConversations,
  pageOfConversations,
  startConversation,
} from '../chat/conversations.ts'
import { startPosition } from '../chat/listening.ts'
import { toChatConversation, toChatUser } from '../chat/serializers.ts'
import { toParticipant, toWebchatMessage, toWebchatUser } from './serializers.ts'
import { streamSignals } from './signals.ts'
import { findVisitor } from './visitors.ts'

type Own = HttpServices & RealtimeServices & MessagingServices

/** History in the first signal. The webchat loads no more; other clients list the messages. */
const maxMessages = 200
const maxHistoryBytes = 524_288
const maxParticipants = 50

export const conversations: Handlers<typeof webchat.conversations, Contexts<Own>> = {
  async initialize({ services, caller: chat, request, reply }, { query }) {
    const { user, key, caller } = await findVisitor(services, chat, request, reply)
    const conversation =
      (await findOwn(services, caller, query.conversationId)) ??
      (await startConversation({ services, caller, request, reply }))
    const { botId } = caller
    // Read before the messages, so that no signal is missed; the webchat shows repeated ones once.
    const after = await recentStart(services.db, botId, conversation.id, 0)
    const data = await initialData(services, caller, conversation, { user, key })
    const listening = { botId, conversationId: conversation.id, userId: user.id, after }
    streamSignals(services, { request, reply }, listening, { type: 'init', data })
    return undefined as never
  },

  async createConversation(context) {
    return { conversation: toChatConversation(await startConversation(context)) }
  },

  getConversation: chatConversations.getConversation,
  deleteConversation: chatConversations.deleteConversation,

  async listConversations({ services, caller }, { query }) {
    const { items, meta } = await pageOfConversations(services, caller, 'webchat', query)
    const ids = items.map(({ id }) => id)
    const last = await findLastMessages(services.db, caller.botId, ids)
    return {
      conversations: items.map((row) => {
        const message = last.get(row.id)
        const shown = toChatConversation(row)
        if (!message) return shown
        const lastMessage = toWebchatMessage(message, caller.alias)
        // The webchat sorts by this time.
        const updatedAt = [shown.updatedAt, lastMessage.createdAt].sort()[1]!
        return { ...shown, updatedAt, lastMessage }
      }),
      meta,
    }
  },

  async listenConversation({ services, caller, request, reply }, { params, query }) {
    const { botId } = caller
    const by = await requireParticipation(services, caller, params.id)
    const id = request.headers['last-event-id']
    const resumed = typeof id === 'string' ? id : undefined
    const after = await startPosition(services, botId, by.conversationId, resumed)
    streamSignals(
      services,
      { request, reply },
      { ...by, botId, after, isLive: query.live },
    )
    return undefined as never
  },
}

/** Returns null without an id, and for a conversation in which the caller does not take part. */
async function findOwn(
  { database }: Services,
  caller: Caller<'chatUser'>,
  name: string | undefined,
): Promise<Omit<NamedConversation, 'owner_id'> | null> {
  if (name === undefined) return null
  const found = await lookUpForUser(database, conversationFor(caller, name))
  if (!found.participates) return null
  const { conversationId: id, conversationFid: fid, createdAt, updatedAt } = found
  return { id, fid, created_at: createdAt, updated_at: updatedAt }
}

async function initialData(
  services: Own,
  caller: Caller<'chatUser'>,
  conversation: Omit<NamedConversation, 'owner_id'>,
  { user, key }: { user: NamedUser; key: string },
): Promise<webchatSignals.InitialSignal['data']> {
  const { db, database } = services
  const { botId, alias } = caller
  const page = { position: null, limit: maxMessages }
  const [listed, participants, bot] = await Promise.all([
    listChatMessages(database, conversationFor(caller, conversation.id), page),
    listParticipants(db, botId, conversation.id, {
      position: null,
      limit: maxParticipants,
    }),
    findUser(db, botId, botId),
  ])
  const messages = (listed?.rows ?? []).slice(0, maxMessages)
  const others = participants.filter(({ id }) => id !== botId)
  return {
    conversation: toChatConversation(conversation),
    messages: withinBytes(messages.map((row) => toWebchatMessage(row, alias))),
    participants: [bot, ...others].map((row) => toParticipant(toChatUser(row))),
    user: { ...toWebchatUser(user), userKey: key },
  }
}

/** Drops the oldest messages of a history that a stream could not send at once. */
function withinBytes(messages: WebchatMessage[]): WebchatMessage[] {
  let bytes = 0
  const end = messages.findIndex((message) => {
    bytes += Buffer.byteLength(JSON.stringify(message))
    return bytes > maxHistoryBytes
  })
  return end < 0 ? messages : messages.slice(0, end)
}
