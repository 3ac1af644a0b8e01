import type { Handlers, runtime } from '@botstead/contract'
import { findAliases } from '../../integrations/declarations.ts'
import { findChannelOwner } from '../../integrations/owners.ts'
import {
  type ConversationRow,
  createConversation,
  deleteConversation,
  findConversation,
  getOrCreateConversation,
  listConversations,
  updateConversation,
} from '../../messaging/conversations.ts'
import { conversationShown } from '../../messaging/shown.ts'
import type { BotCaller, Context, Contexts } from '../../services.ts'
import { pageOf } from '../paging.ts'
import { momentOf, pageFor, timePosition } from './paging.ts'
import { viewerOf } from './viewer.ts'

const columns = { createdAt: 'created_at', updatedAt: 'updated_at' } as const

export const conversations: Handlers<typeof runtime.conversations, Contexts> = {
  async createConversation(context, { body }) {
    const { services, caller } = context
    const given = await newConversation(context, body)
    return { conversation: shown(caller, await createConversation(services.db, caller.botId, viewerOf(caller), given)) }
  },

  async getOrCreateConversation(context, { body }) {
    const { services, caller } = context
    const given = await newConversation(context, body)
    const { row, created } = await getOrCreateConversation(services.db, caller.botId, viewerOf(caller), given, body.discriminateByTags)
    return { conversation: shown(caller, row), meta: { created } }
  },

  async getConversation({ services, caller }, { params }) {
    return { conversation: shown(caller, await findConversation(services.db, caller.botId, params.id, viewerOf(caller))) }
  },

  async listConversations(context, { query }) {
    const { services, caller } = context
    const { sortField = 'createdAt', sortDirection: direction = 'desc', integrationName, ...filters } = query
    const page = pageFor(context, 'listConversations', query)
    const rows = await listConversations(services.db, caller.botId, viewerOf(caller), {
      ...filters,
      integrations: integrationName === undefined ? undefined : await findAliases(services.db, caller.botId, integrationName),
      after: momentOf(query.afterDate),
      before: momentOf(query.beforeDate),
      ...{ direction, sortField: columns[sortField] },
      position: timePosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = pageOf(page, rows, (row: ConversationRow) => [row[columns[sortField]].toISOString(), row.id])
    return { conversations: items.map((row) => shown(caller, row)), meta }
  },

  async updateConversation({ services, caller }, { params, body }) {
    return { conversation: shown(caller, await updateConversation(services.db, caller.botId, params.id, viewerOf(caller), body)) }
  },

  async deleteConversation({ services, caller }, { params }) {
    await deleteConversation(services.db, caller.botId, params.id, viewerOf(caller))
    services.signals.cut(caller.botId, params.id, null)
    return {}
  },
}

const shown = (caller: BotCaller, row: ConversationRow) => conversationShown(row, viewerOf(caller))

/** As an integration's own or, when the bot makes it, in the integration that it names. */
export async function newConversation<T extends { channel: string; integrationName?: string }>({ services, caller }: Context<BotCaller>, given: T) {
  const { integrationName, channel } = given
  return { ...given, integration: await findChannelOwner(services.db, caller.botId, viewerOf(caller), integrationName, channel) }
}
