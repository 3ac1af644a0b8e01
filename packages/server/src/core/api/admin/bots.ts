import { ApiError, type admin, type Handlers, may } from '@botstead/contract'
import {
  type BotServices,
  botStore,
  listBotSummaries,
  rotateSigningSecrets,
} from '../../bots/index.ts'
import { viewBot } from '../../catalog/index.ts'
import type { DeliveryServices } from '../../delivery/index.ts'
import type { BlobServices } from '../../files/index.ts'
import { type Caller, type Context, type Contexts, getOrigin } from '../../http/index.ts'
import type { OutgoingServices } from '../../outgoing/index.ts'
import type { QueueServices } from '../../queue/index.ts'
import type { RealtimeServices } from '../../realtime/index.ts'
import { changeBot, makeBot, removeBot, transferBot } from './bot-changes.ts'

type Own = BlobServices &
  BotServices &
  DeliveryServices &
  QueueServices &
  RealtimeServices &
  OutgoingServices

export const bots: Handlers<(typeof admin)['bots'], Contexts<Own>> = {
  async createBot(context, { body }) {
    const { id, signingSecret } = await makeBot(
      context.services,
      context.caller,
      body,
      context.loadError,
    )
    return { bot: await show(context, id, { signingSecret }) }
  },

  async updateBot(context, { params, body }) {
    const { services, caller, loadError } = context
    await changeBot(services, caller.workspaceId, params.id, body, {
      byAlias: goesByAlias(context),
      deployedBy: caller.accountId,
      loadError,
    })
    return { bot: await show(context, params.id, { merged: body.shouldMergePlugins }) }
  },

  async getBot(context, { params, query }) {
    return { bot: await show(context, params.id, { merged: query.shouldMergePlugins }) }
  },

  listBots: ({ services, caller }, { query }) =>
    listBotSummaries(services, caller, query),

  /** Requires the permission to transfer in this workspace, and to create bots in the target. */
  async transferBot({ services, caller }, { params, body: { targetWorkspaceId } }) {
    const role = await services.callers.role(targetWorkspaceId, caller.accountId)
    if (!role)
      throw new ApiError(
        'ResourceNotFound',
        `Workspace "${targetWorkspaceId}" was not found`,
      )
    if (!may(role, 'bots.create'))
      throw new ApiError(
        'Forbidden',
        `Your role in the target workspace, ${role}, cannot create bots`,
      )
    if (targetWorkspaceId === caller.workspaceId)
      throw new ApiError('InvalidPayload', 'The bot is already in the target workspace')
    await transferBot(services, caller.workspaceId, params.id, targetWorkspaceId)
    return {}
  },

  async deleteBot({ services, caller }, { params }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.id)
    const mayDelete =
      may(caller.role, 'bots.deleteAny') || bot.created_by === caller.accountId
    if (!mayDelete)
      throw new ApiError(
        'Forbidden',
        `The role ${caller.role} can delete only bots that you created`,
      )
    await removeBot(services, bot)
    return {}
  },

  async rotateBotSigningSecrets(
    { services: { db, secrets, invalidate }, caller },
    { params },
  ) {
    const newSigningSecret = await rotateSigningSecrets(
      db,
      secrets,
      caller.workspaceId,
      params.id,
    )
    await invalidate({ botId: params.id })
    return { newSigningSecret }
  },
}

/**
 * Clients that support several installations of one integration send the header, with any value.
 */
const goesByAlias = ({ request }: Pick<Context<Caller<'workspace'>, Own>, 'request'>) =>
  request.headers['x-multiple-integrations'] !== undefined

interface Showing {
  /** Whether the definition includes what plugins add; true by default. */
  merged?: boolean | undefined
  signingSecret?: string
}

async function show(
  context: Context<Caller<'workspace'>, Own>,
  id: string,
  { merged = true, signingSecret }: Showing,
) {
  const { services, caller } = context
  const bot = await viewBot(
    services,
    { workspaceId: caller.workspaceId, id },
    { origin: getOrigin(context), byAlias: goesByAlias(context), isMerged: merged },
  )
  return signingSecret === undefined ? bot : { ...bot, signingSecret }
}
