import {
  ApiError,
  type admin,
  type Handlers,
  may,
  type Role,
  type Usage,
  type UsageType,
  usageTypes,
} from '@botstead/contract'
import { memberStore, workspaceStore } from '../../../accounts/index.ts'
import { allowlists, botStore } from '../../../bots/index.ts'
import {
  type Caller,
  type Contexts,
  parsePage,
  type Services,
  toDate,
  toListPage,
} from '../../../http/index.ts'
import { type CountScope, listDailyCounts, sumByMonth } from '../../counts.ts'
import { getQuota, unlimited } from '../../quotas.ts'
import {
  findUsage,
  findUsages,
  isCounted,
  type Month,
  parseMonth,
  usageByBot,
} from '../../usages.ts'

type Scope = Pick<CountScope, 'workspaceId' | 'botId'>

export const usages: Handlers<(typeof admin)['usages'], Contexts> = {
  async listWorkspaceUsages({ services, caller }, { query: { type, period } }) {
    return {
      usages: [
        await show(
          services,
          { workspaceId: caller.workspaceId, botId: null },
          type,
          parseMonth(period),
        ),
      ],
    }
  },

  async breakDownWorkspaceUsageByBot({ services, caller }, { query: { type, period } }) {
    const data = await usageByBot(
      services.db,
      { workspaceId: caller.workspaceId, botId: null, type },
      parseMonth(period),
    )
    const accesses = await allowlists.findAccesses(
      services.db,
      data.map(({ botId }) => botId),
    )
    const isSeen = (botId: string) => {
      const access = accesses.get(botId)
      return !access || !allowlists.isHiddenFrom(access, caller)
    }
    return { data: data.filter(({ botId }) => isSeen(botId)) }
  },

  async getAllWorkspaceQuotaCompletion({ services, caller }) {
    const { accountId } = caller
    const page = { after: null, limit: maxWorkspaces }
    const all = await workspaceStore.list(services.db, accountId, page)
    const ids = all.map(({ id }) => id)
    const roles = await memberStore.findRoles(services.db, ids, accountId)
    const workspaces = all.filter(({ id }) => mayReadUsage(roles.get(id)))
    const scopes = workspaces.map(({ id }) => ({ workspaceId: id, botId: null }))
    const types = limitedTypes.filter(
      (type) => isCheap(type) || getQuota(services.limits, type) !== unlimited,
    )
    const used = await findUsages(services.db, scopes, types, parseMonth(undefined))
    return Object.fromEntries(
      workspaces.map(({ id }, at) => [id, nearestQuota(services, types, used[at]!)]),
    )
  },

  async getWorkspaceQuota({ services }, { query: { type, period } }) {
    return {
      quota: {
        period: parseMonth(period).toISOString(),
        value: getQuota(services.limits, type),
        type,
      },
    }
  },

  async listWorkspaceQuotas({ services }, { query }) {
    const period = parseMonth(query.period).toISOString()
    return {
      quotas: usageTypes.map((type) => ({
        period,
        value: getQuota(services.limits, type),
        type,
      })),
    }
  },

  async getUsage({ services, caller }, { params, query: { type, period } }) {
    return {
      usage: await show(
        services,
        await findScope(services, caller, params.id),
        type,
        parseMonth(period),
      ),
    }
  },

  async getMultipleUsages({ services, caller }, { query: { types, ids, period } }) {
    const month = parseMonth(period)
    const kinds = [...new Set(types)].map(parseUsageType)
    if (ids.length > maxIds)
      throw new ApiError('InvalidQuery', `\`ids\` must contain at most ${maxIds} ids`)
    const scopes = await scopesOfAccount(services, caller.accountId, [...new Set(ids)])
    const used = await findUsages(services.db, scopes, kinds, month)
    return {
      usages: scopes.flatMap((scope, at) =>
        kinds.map((type) => toUsage(services, scope, type, month, used[at]![type])),
      ),
    }
  },

  async listUsageHistory({ services, caller }, { params, query: { type } }) {
    const scope = await findScope(services, caller, params.id)
    if (!isCounted(type))
      return { usages: [await show(services, scope, type, parseMonth(undefined))] }
    const months = await sumByMonth(services.db, { ...scope, type })
    return {
      usages: months.map(({ month, value }) =>
        toUsage(services, scope, type, parseMonth(month), value),
      ),
    }
  },

  async listUsageActivity({ services, caller }, { params, query }) {
    const scope = await findScope(services, caller, params.id)
    const { rows, meta } = await days(
      services,
      'admin.listUsageActivity',
      { ...scope, type: query.type, apart: true },
      query,
      [query.timestampFrom, query.timestampUntil],
    )
    const shown = rows.map(({ day, bot_id, value }) => ({
      timestamp: new Date(day).toISOString(),
      value,
      period: parseMonth(day).toISOString(),
      metadata: { botId: bot_id },
    }))
    return { data: shown, meta }
  },

  async listUsageActivityDaily({ services, caller }, { params, query }) {
    const scope = await findScope(services, caller, params.id)
    const { rows, meta } = await days(
      services,
      'admin.listUsageActivityDaily',
      { ...scope, type: query.type, apart: false },
      query,
      [query.dateFrom, query.dateUntil],
    )
    return { data: rows.map(({ day, value }) => ({ key: day, date: day, value })), meta }
  },
}

const maxWorkspaces = 100
const maxIds = 100

function parseUsageType(name: string): UsageType {
  const kind = usageTypes.find((type) => type === name)
  if (!kind)
    throw new ApiError(
      'InvalidQuery',
      `Unknown usage type "${name}": use one of ${usageTypes.join(', ')}`,
    )
  return kind
}

const toUsage = (
  { limits }: Services,
  { workspaceId, botId }: Scope,
  type: UsageType,
  month: Month,
  value: number,
): Usage => ({
  id: botId ?? workspaceId,
  period: month.toISOString(),
  value,
  quota: getQuota(limits, type),
  type,
})

const show = async (services: Services, scope: Scope, type: UsageType, month: Month) =>
  toUsage(
    services,
    scope,
    type,
    month,
    await findUsage(services.db, { ...scope, type }, month),
  )

/** Returns the workspace or one of its bots. Throws ResourceNotFound. */
async function findScope(
  { db, callers }: Services,
  caller: Caller<'workspace'>,
  id: string,
): Promise<Scope> {
  const { workspaceId } = caller
  if (id === workspaceId) return { workspaceId, botId: null }
  if (
    (await botStore.findWorkspace(db, id)) !== workspaceId ||
    (await callers.isHidden(id, caller))
  )
    throw nothing(id)
  return { workspaceId, botId: id }
}

/** Returns the scope of each id, in any workspace of the account. */
async function scopesOfAccount(
  { db }: Services,
  accountId: string,
  ids: string[],
): Promise<Scope[]> {
  const accesses = await allowlists.findAccesses(db, ids)
  const scopes = ids.map((id) => ({
    id,
    workspaceId: accesses.get(id)?.workspaceId ?? id,
    botId: accesses.has(id) ? id : null,
  }))
  const roles = await memberStore.findRoles(
    db,
    [...new Set(scopes.map(({ workspaceId }) => workspaceId))],
    accountId,
  )
  return scopes.map(({ id, ...scope }) => {
    const role = roles.get(scope.workspaceId)
    const access = accesses.get(id)
    if (
      !role ||
      !mayReadUsage(role) ||
      (access && allowlists.isHiddenFrom(access, { accountId, role }))
    )
      throw nothing(id)
    return scope
  })
}

const mayReadUsage = (role: Role | undefined) =>
  role !== undefined && may(role, 'usage.read')

const nothing = (id: string) =>
  new ApiError('ResourceNotFound', `"${id}" is not a workspace or bot with usage`)

const limitedTypes = [
  'bot_count',
  'workspace_member_count',
  'integrations_owned_count',
  'table_row_count',
  'storage_count',
] as const
/** Types that are slow to count are counted only where there is a limit. */
const isCheap = (type: Limited) => type !== 'table_row_count' && type !== 'storage_count'
type Limited = (typeof limitedTypes)[number]

const nearestQuota = (
  { limits }: Services,
  types: Limited[],
  used: Record<Limited, number>,
) =>
  types
    .map((type) => ({ type, completion: used[type] / getQuota(limits, type) }))
    .reduce((most, one) => (one.completion > most.completion ? one : most))

async function days(
  services: Services,
  name: string,
  scope: CountScope & { apart: boolean },
  query: { nextToken?: string; pageSize?: number },
  [from, until]: (string | undefined)[],
) {
  const page = parsePage(services, [name, JSON.stringify([scope, from, until])], query)
  const position = page.position && { day: page.position[0]!, botId: page.position[1]! }
  const found = await listDailyCounts(services.db, {
    ...scope,
    from: toDate(from),
    until: toDate(until),
    position,
    limit: page.limit + 1,
  })
  const { items, meta } = toListPage(page, found, ({ day, bot_id }) => [day, bot_id])
  return { rows: items, meta }
}
