import type { Handlers, runtime } from '@botstead/contract'
import { type OwningIntegration, owningIntegrations } from '../../../catalog/index.ts'
import {
  type Caller,
  type Context,
  type Contexts,
  getViewer,
  runtimePage,
  timePosition,
  toDate,
  toListPage,
} from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { toUser } from '../../serializers.ts'
import type { MessagingServices } from '../../services.ts'
import type { TagInput } from '../../tags/tags.ts'
import { listUsers } from '../../user-listing.ts'
import {
  createUser,
  deleteUser,
  findUser,
  getOrCreateUser,
  hasUser,
  readUser,
  type UserRow,
  updateUser,
} from '../../users.ts'

type Own = MessagingServices & RealtimeServices

const columns = { createdAt: 'created_at', updatedAt: 'updated_at' } as const

export const users: Handlers<typeof runtime.users, Contexts<Own>> = {
  async createUser(context, { body }) {
    const { services, caller } = context
    const owner = await userOwner(context, body)
    const row =
      (await makeElsewhere(context, owner, body)) ??
      (await createUser(
        services.db,
        caller.botId,
        getViewer(caller),
        ownedBy(owner, body),
      ))
    return { user: toUser(row, getViewer(caller)) }
  },

  async getOrCreateUser(context, { body }) {
    const { services, caller } = context
    const owner = await userOwner(context, body)
    const input = ownedBy(owner, body)
    const isThere =
      owner?.creation?.enabled &&
      (await hasUser(
        services.db,
        caller.botId,
        getViewer(caller),
        input,
        body.discriminateByTags,
      ))
    const made = isThere ? null : await makeElsewhere(context, owner, body)
    if (made) return { user: toUser(made, getViewer(caller)), meta: { created: true } }
    const { row, created } = await getOrCreateUser(
      services.db,
      caller.botId,
      getViewer(caller),
      input,
      body.discriminateByTags,
    )
    return { user: toUser(row, getViewer(caller)), meta: { created } }
  },

  async getUser({ services, caller }, { params }) {
    const viewer = getViewer(caller)
    return {
      user: toUser(
        await readUser(services.database, caller.botId, params.id, viewer),
        viewer,
      ),
    }
  },

  async listUsers(context, { query }) {
    const { services, caller } = context
    const {
      sortField = 'createdAt',
      rangeField = 'createdAt',
      sortDirection: direction = 'desc',
      conversationId,
      tags,
    } = query
    const page = runtimePage(context, 'listUsers', query)
    const rows = await listUsers(services.db, caller.botId, getViewer(caller), {
      conversationId,
      tags,
      direction,
      rangeField: columns[rangeField],
      sortField: columns[sortField],
      after: toDate(query.afterDate),
      before: toDate(query.beforeDate),
      position: timePosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row: UserRow) => [
      row[columns[sortField]].toISOString(),
      row.id,
    ])
    return { users: items.map((row) => toUser(row, getViewer(caller))), meta }
  },

  async updateUser({ services, caller }, { params, body }) {
    return {
      user: toUser(
        await updateUser(
          services.db,
          caller.botId,
          params.id,
          getViewer(caller),
          toChange(body),
        ),
        getViewer(caller),
      ),
    }
  },

  async deleteUser({ services, caller }, { params }) {
    await deleteUser(services.db, caller.botId, params.id, getViewer(caller))
    services.signals.cutEverywhere(caller.botId, params.id)
    return {}
  },
}

/** `attributes` is the former name of `properties`. */
function toChange<T extends { properties?: object; attributes?: object }>({
  properties,
  attributes,
  ...body
}: T) {
  return {
    ...body,
    ...((properties || attributes) && {
      properties: { ...attributes, ...properties } as Record<string, string | null>,
    }),
  }
}

interface Input {
  integrationName?: string
  properties?: object
  attributes?: object
}
const userOwner = (
  { services, caller }: Context<Caller<'bot'>, Own>,
  { integrationName }: Input,
) =>
  owningIntegrations.find(services.db, caller.botId, getViewer(caller), integrationName)
const ownedBy = <T extends Input>(owner: OwningIntegration | null, input: T) => ({
  ...toChange(input),
  integration: owner?.alias ?? null,
})

/**
 * Creates the user as the integration's own; for a bot, as the bot's own or in the integration that
 * it names.
 */
export const toNewUser = async <T extends Input>(
  context: Context<Caller<'bot'>, Own>,
  input: T,
) => ownedBy(await userOwner(context, input), input)

/** Creates the user at the third party if the integration declares this; otherwise returns null. */
async function makeElsewhere(
  { services, caller }: Context<Caller<'bot'>, Own>,
  owner: OwningIntegration | null,
  { tags }: { tags: TagInput },
) {
  if (!owner?.creation?.enabled) return null
  const { botId, cause, fence } = caller
  const { alias, creation } = owner
  return services.createThroughIntegration(
    services,
    creation,
    { botId, alias, what: 'user', tags, cause, fence },
    (id) => findUser(services.db, botId, id, alias),
  )
}
