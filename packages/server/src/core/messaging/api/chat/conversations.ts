import { ApiError, type chat, type Handlers } from '@botstead/contract'
import type { Caller } from '../../../http/index.ts'
import {
  type Context,
  type Contexts,
  creationPosition,
  EventStream,
  type HttpServices,
  type PagedQuery,
  parsePage,
  rateLimits,
  toListPage,
} from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { chosenId } from '../../chat/chat-ids.ts'
import {
  findKeyUser,
  listOwnConversations,
  lookUpConversation,
  lookUpForUser,
} from '../../chat/chat-lookups.ts'
import {
  type ConversationRow,
  createConversation,
  deleteConversation,
  noConversation,
} from '../../conversations.ts'
import { conversationFor, notParticipating, requireOwnership } from './access.ts'
import { listenTo } from './listening.ts'
import { toChatConversation } from './serializers.ts'

type Own = HttpServices & RealtimeServices

/** The only channel of the chat integration. */
const channel = 'channel'

export const conversations: Handlers<typeof chat.conversations, Contexts<Own>> = {
  async createConversation(context, { body }) {
    return {
      conversation: toChatConversation(
        await startConversation(context, chosenId(body.id)),
      ),
    }
  },

  async getOrCreateConversation(context, { body }) {
    const { caller } = context
    const { database } = context.services
    const user = await findKeyUser(database, caller.botId, caller.claim)
    const find = () => lookUpConversation(database, caller.botId, caller.alias, body.id)
    const found =
      (await find()) ??
      (await startConversation(context, needed(chosenId(body.id))).catch((error) =>
        raced(error, find),
      ))
    if (found.owner_id !== user.id)
      throw new ApiError('Forbidden', 'This conversation belongs to a different user')
    return { conversation: toChatConversation(found) }
  },

  async getConversation({ services, caller }, { params }) {
    const found = await lookUpForUser(
      services.database,
      conversationFor(caller, params.id),
    )
    if (found.conversationId === null) throw noConversation(params.id)
    if (!found.participates) throw notParticipating()
    const { conversationId: id, conversationFid: fid, createdAt, updatedAt } = found
    return {
      conversation: toChatConversation({
        id,
        fid,
        created_at: createdAt,
        updated_at: updatedAt,
      }),
    }
  },

  async deleteConversation({ services, caller }, { params }) {
    const { id } = await requireOwnership(services, caller, params.id)
    await deleteConversation(services.db, caller.botId, id, caller.alias)
    services.signals.cut(caller.botId, id, null)
    return {}
  },

  async listConversations({ services, caller }, { query }) {
    const { items, meta } = await pageOfConversations(services, caller, 'chat', query)
    return { conversations: items.map(toChatConversation), meta }
  },

  async listenConversation({ services, caller, request, reply }, { params }) {
    const start = await listenTo(
      services,
      { caller, request: request.raw },
      params.id,
      header(request.headers['last-event-id']),
    )
    const stream = new EventStream(request, reply)
    const stop = start({
      send: (signal) => stream.send(signal),
      ready: () => stream.ready(),
      end: () => stream.end(),
    })
    void stream.closed.then(stop)
    return undefined as never
  },
}

/** `family` is the API whose page tokens are valid. */
export async function pageOfConversations(
  services: Own,
  { botId, alias, claim }: Caller<'chatUser'>,
  family: 'chat' | 'webchat',
  query: PagedQuery,
) {
  const page = parsePage(
    services,
    [`${family}.listConversations`, botId, alias, claim],
    query,
  )
  const rows = await listOwnConversations(services.database, botId, alias, claim, page)
  return toListPage(page, rows, creationPosition)
}

const header = (value: string | string[] | undefined) =>
  typeof value === 'string' ? value : undefined

/**
 * Starts a conversation that the caller owns. Throws AlreadyExists for a used `fid`, RateLimited.
 */
export async function startConversation(
  context: Context<Caller<'chatUser'>, Own>,
  fid?: string | undefined,
): Promise<ConversationRow> {
  const { services, caller } = context
  rateLimits.countConversation(services, context)
  const user = await findKeyUser(services.database, caller.botId, caller.claim)
  const tags = { owner: user.id, ...(fid && { fid }) }
  return createConversation(services.db, caller.botId, caller.alias, {
    integration: caller.alias,
    channel,
    ownerId: user.id,
    tags,
    ...(fid && { fid }),
  })
}

/**
 * Retries the look-up after AlreadyExists: two tabs of one user may create the same conversation at
 * once.
 */
async function raced<Row>(error: unknown, find: () => Promise<Row | null>): Promise<Row> {
  const found =
    error instanceof ApiError && error.type === 'AlreadyExists' ? await find() : null
  if (!found) throw error
  return found
}

function needed(id: string | undefined): string {
  if (!id) throw new ApiError('InvalidPayload', '`id` is missing')
  return id
}
