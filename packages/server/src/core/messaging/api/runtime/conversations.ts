import type { Handlers, runtime } from '@botstead/contract'
import {
  findAliases,
  type OwningIntegration,
  owningIntegrations,
} from '../../../catalog/index.ts'
import {
  type Caller,
  type Context,
  type Contexts,
  getViewer,
  runtimePage,
  timePosition,
  toDate,
} from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { updateConversationAsBot } from '../../chat/notified-changes.ts'
import { listConversations } from '../../conversation-listing.ts'
import {
  type ConversationRow,
  createConversation,
  deleteConversation,
  findConversation,
  getOrCreateConversation,
  hasConversation,
  readConversation,
  updateConversation,
} from '../../conversations.ts'
import { toConversation } from '../../serializers.ts'
import type { MessagingServices } from '../../services.ts'
import type { TagInput } from '../../tags/tags.ts'

type Own = MessagingServices & QueueServices & RealtimeServices

const columns = { createdAt: 'created_at', updatedAt: 'updated_at' } as const

export const conversations: Handlers<typeof runtime.conversations, Contexts<Own>> = {
  async createConversation(context, { body }) {
    const { services, caller } = context
    const owner = await channelOwner(context, body)
    const row =
      (await makeElsewhere(context, owner, body)) ??
      (await createConversation(
        services.db,
        caller.botId,
        getViewer(caller),
        ownedBy(owner, body),
      ))
    return { conversation: shown(caller, row) }
  },

  async getOrCreateConversation(context, { body }) {
    const { services, caller } = context
    const owner = await channelOwner(context, body)
    const input = ownedBy(owner, body)
    const isThere =
      owner.creation?.enabled &&
      (await hasConversation(
        services.db,
        caller.botId,
        getViewer(caller),
        input,
        body.discriminateByTags,
      ))
    const made = isThere ? null : await makeElsewhere(context, owner, body)
    if (made) return { conversation: shown(caller, made), meta: { created: true } }
    const { row, created } = await getOrCreateConversation(
      services.db,
      caller.botId,
      getViewer(caller),
      input,
      body.discriminateByTags,
    )
    return { conversation: shown(caller, row), meta: { created } }
  },

  async getConversation({ services, caller }, { params }) {
    const viewer = getViewer(caller)
    const row = await readConversation(services.database, caller.botId, params.id, viewer)
    return { conversation: toConversation(row, viewer) }
  },

  async listConversations(context, { query }) {
    const { services, caller } = context
    const {
      sortField = 'createdAt',
      sortDirection: direction = 'desc',
      integrationName,
      ...filters
    } = query
    const page = runtimePage(context, 'listConversations', query)
    const { rows, next } = await listConversations(
      services.db,
      caller.botId,
      getViewer(caller),
      {
        ...filters,
        integrations:
          integrationName === undefined
            ? undefined
            : await findAliases(services.db, caller.botId, integrationName),
        after: toDate(query.afterDate),
        before: toDate(query.beforeDate),
        direction,
        sortField: columns[sortField],
        position: timePosition(page.position),
        limit: page.limit,
      },
    )
    return {
      conversations: rows.map((row) => shown(caller, row)),
      meta: next ? { nextToken: page.token([next.at.toISOString(), next.id]) } : {},
    }
  },

  async updateConversation({ services, caller }, { params, body }) {
    const viewer = getViewer(caller)
    const { botId } = caller
    if (viewer !== null) {
      const row = await updateConversation(services.db, botId, params.id, viewer, body)
      return { conversation: shown(caller, row) }
    }
    const row = await updateConversationAsBot(services, botId, params.id, body)
    for (const note of services.hooks.conversationTagged)
      await note(services, { botId, id: row.id }, body.tags ?? {})
    return { conversation: shown(caller, row) }
  },

  async deleteConversation({ services, caller }, { params }) {
    await deleteConversation(services.db, caller.botId, params.id, getViewer(caller))
    services.signals.cut(caller.botId, params.id, null)
    return {}
  },
}

const shown = (caller: Caller<'bot'>, row: ConversationRow) =>
  toConversation(row, getViewer(caller))

interface Input {
  channel: string
  integrationName?: string
}
const channelOwner = (
  { services, caller }: Context<Caller<'bot'>, Own>,
  { integrationName, channel }: Input,
) =>
  owningIntegrations.findOfChannel(
    services.db,
    caller.botId,
    getViewer(caller),
    integrationName,
    channel,
  )
const ownedBy = <T extends Input>({ alias }: OwningIntegration, input: T) => ({
  ...input,
  integration: alias,
})

/**
 * Creates the conversation as the integration's own or, for a bot, in the integration that it
 * names.
 */
export const toNewConversation = async <T extends Input>(
  context: Context<Caller<'bot'>, Own>,
  input: T,
) => ownedBy(await channelOwner(context, input), input)

/**
 * Creates the conversation at the third party if the integration declares this; otherwise returns
 * null.
 */
async function makeElsewhere(
  { services, caller }: Context<Caller<'bot'>, Own>,
  { alias, creation }: OwningIntegration,
  { channel, tags }: Input & { tags: TagInput },
) {
  if (!creation?.enabled) return null
  const { botId, cause, fence } = caller
  return services.createThroughIntegration(
    services,
    creation,
    { botId, alias, what: 'conversation', channel, tags, cause, fence },
    (id) => findConversation(services.db, botId, id, alias),
  )
}
