import { channels as entries } from '@botstead/channels'
import type { ChannelCheck, ChannelState, Handlers, platform } from '@botstead/contract'
import { botStore } from '../../../../core/bots/index.ts'
import { installationStore } from '../../../../core/catalog/index.ts'
import {
  type Contexts,
  getOrigin,
  type HttpServices,
  isVisibleBot,
  type Services,
} from '../../../../core/http/index.ts'
import {
  type ActivityRow,
  isForged,
  isProved,
  listActivities,
  listSharing,
  type Sharing,
} from '../../activity.ts'
import { toGuide } from '../../channel-guides.ts'
import { type CheckResult, entryAt, findEntry } from '../../channel-tools.ts'
import type { ConnectorKey } from '../../connectors.ts'
import { explainShared, SharedAccount, toSharingWarning } from '../../registration.ts'
import type { ChannelServices } from '../../services.ts'

const testText = 'This is a test message of your bot.'

export const channels: Handlers<
  typeof platform.channels,
  Contexts<HttpServices & ChannelServices>
> = {
  async listChannels(context, { params }) {
    const { services, caller, request } = context
    const { id } = await botStore.find(services.db, caller.workspaceId, params.botId)
    const [rows, activities, sharings] = await Promise.all([
      installationStore.list(services.db, id),
      listActivities(services.db, id),
      listSharing(services.db, caller.workspaceId, id),
    ])
    const origin = getOrigin({ services, request })
    const states = rows.map(async (row) => {
      const state = await toState(services, row, activities.get(row.alias), origin)
      const sharing = state && sharings.get(row.alias)
      return sharing ? { ...state, ...(await toWarning(context, id, sharing)) } : state
    })
    return {
      channels: (await Promise.all(states)).filter((state) => state !== null),
      available: entries.map(({ name, title, description }) => ({
        name,
        title,
        description,
      })),
    }
  },

  async getChannelGuide({ services, caller, request }, { params, query }) {
    const entry = findEntry(params.name)
    const { id, name: botName } = await botStore.find(
      services.db,
      caller.workspaceId,
      params.botId,
    )
    const rows =
      query.alias === undefined ? [] : await installationStore.list(services.db, id)
    const row = rows.find(
      ({ alias, url }) => alias === query.alias && entryAt(url) === entry,
    )
    const origin = getOrigin({ services, request })
    const guide = await toGuide(entry, {
      botName,
      configuration: row
        ? await installationStore.openConfiguration(services.secrets, row)
        : {},
      ...(row && { webhookUrl: toWebhookUrl(row, origin) }),
      publicUrl: services.publicUrl(),
    })
    return { guide }
  },

  async checkChannel(context, { params, body }) {
    const { services, caller } = context
    const entry = findEntry(params.name)
    const { workspaceId } = caller
    const { id: botId } = await botStore.find(services.db, workspaceId, params.botId)
    const place = { botId, alias: body.alias ?? entry.name, workspaceId }
    const result = await services.channelTools.check(entry, place, body.configuration)
    return toCheck(context, botId, result)
  },

  async verifyChannel(context, { params }) {
    const { services, caller } = context
    const { id: botId } = await botStore.find(
      services.db,
      caller.workspaceId,
      params.botId,
    )
    const result = await services.channelTools.verify({ botId, alias: params.alias })
    return toCheck(context, botId, result)
  },

  async testChannel({ services, caller }, { params, body }) {
    const { id: botId } = await botStore.find(
      services.db,
      caller.workspaceId,
      params.botId,
    )
    const { text = testText, ...place } = body
    const key = { botId, alias: params.alias }
    return { conversationId: await services.channelTools.test(key, { text, ...place }) }
  },
}

type Context = Contexts<HttpServices & ChannelServices>['workspace']

async function toCheck(
  context: Context,
  botId: string,
  { account, problem, sharing }: CheckResult,
): Promise<ChannelCheck> {
  if (problem instanceof SharedAccount) {
    const name = await findVisibleName(context, problem.sharing)
    return { account, problem: explainShared(problem.sharing, botId, name) }
  }
  return { account, problem, ...(sharing && (await toWarning(context, botId, sharing))) }
}

async function toWarning(context: Context, botId: string, sharing: Sharing) {
  const name = sharing === 'elsewhere' ? null : await findVisibleName(context, sharing)
  return { warning: toSharingWarning(sharing, botId, name) }
}

/** Returns null for a bot that is hidden from the member. */
async function findVisibleName(
  { services, caller }: Context,
  { botId }: ConnectorKey,
): Promise<string | null> {
  if (!(await isVisibleBot(services, caller, botId))) return null
  return (await botStore.find(services.db, caller.workspaceId, botId)).name
}

type Row = Awaited<ReturnType<typeof installationStore.list>>[number]

const toWebhookUrl = ({ webhook_id }: Row, origin: string) =>
  `${origin}/webhooks/${webhook_id}`

/** Returns null for an integration that is no channel. */
async function toState(
  { secrets }: Pick<Services, 'secrets'>,
  row: Row,
  activity: ActivityRow | undefined,
  origin: string,
): Promise<ChannelState | null> {
  const entry = entryAt(row.url)
  if (!entry) return null
  const [channel, configuration] = await Promise.all([
    entry.load(),
    installationStore.openConfiguration(secrets, row),
  ])
  const { account_name, account_link, received_at, sent_at } = activity ?? {}
  const error = activity && toLastError(activity)
  return {
    alias: row.alias,
    name: entry.name,
    title: entry.title,
    receivesBy: channel.usesConnection?.(configuration) ? 'connection' : 'webhook',
    enabled: row.enabled,
    status: row.status,
    statusReason: row.status_reason,
    since: toSince(row, activity).toISOString(),
    webhookUrl: toWebhookUrl(row, origin),
    account: {
      ...(account_name && { name: account_name }),
      ...(account_link && { link: account_link }),
    },
    isProved: activity !== undefined && isProved(activity),
    ...(received_at && { lastReceivedAt: received_at.toISOString() }),
    ...(sent_at && { lastSentAt: sent_at.toISOString() }),
    ...(error && { lastError: error }),
  }
}

/** A connection knows since when it has its state; an error of sending began the state of a webhook channel. */
function toSince(row: Row, activity: ActivityRow | undefined): Date {
  const { changed_at, is_lasting, error_at, forged_at } = activity ?? {}
  const forged = activity && isForged(activity) ? forged_at : null
  const begun = changed_at ?? forged ?? (is_lasting ? error_at : null)
  return begun && begun > row.updated_at ? begun : row.updated_at
}

function toLastError(row: ActivityRow): ChannelState['lastError'] {
  const { error, error_at, error_of, state, reason, changed_at, forged, forged_at } = row
  if (state === 'failing' && reason && changed_at)
    return {
      at: changed_at.toISOString(),
      message: reason,
      of: 'receiving',
      isOver: false,
    }
  if (forged && forged_at && (isForged(row) || !error_at || error_at < forged_at)) {
    const at = forged_at.toISOString()
    return {
      at,
      message: forged,
      of: 'receiving',
      isOver: !isForged(row),
      isForged: true,
    }
  }
  if (!error || !error_at || !error_of) return undefined
  const later = error_of === 'receiving' ? row.received_at : row.sent_at
  const isOver = later !== null && later > error_at
  return { at: error_at.toISOString(), message: error, of: error_of, isOver }
}
