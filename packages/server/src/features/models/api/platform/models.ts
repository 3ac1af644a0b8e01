import {
  type Handlers,
  type ModelBudget,
  type ModelCall,
  type ModelProvider,
  may,
  type platform,
} from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  type Services,
  toDate,
  toListPage,
} from '../../../../core/http/index.ts'
import type { OutgoingServices } from '../../../../core/outgoing/index.ts'
import {
  type Budget,
  createBudget,
  deleteBudget,
  listBudgets,
  readSpend,
} from '../../gateway/budgets.ts'
import { type CallRow, listCalls, sumCalls } from '../../gateway/ledger.ts'
import {
  deleteProvider,
  listProviders,
  type ProviderRow,
  setProvider,
} from '../../workspace-providers.ts'

const maxTotals = 1_000

export const models: Handlers<typeof platform.models, Contexts<OutgoingServices>> = {
  async listModelCalls(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'listModelCalls', query)
    const rows = await listCalls(context.services.db, botId, {
      conversationId: query.conversationId,
      eventId: query.eventId,
      after: toDate(query.afterDate),
      before: toDate(query.beforeDate),
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ id }) => [id])
    return { calls: items.map(toModelCall), meta }
  },

  async getModelTotals({ services, caller }, { query }) {
    const { by, botId = null, afterDate, beforeDate } = query
    const scope = {
      workspaceId: caller.workspaceId,
      botId,
      seenBy: may(caller.role, 'bots.readAny') ? null : caller.accountId,
      after: toDate(afterDate) ?? null,
      before: toDate(beforeDate) ?? null,
    }
    const rows = await sumCalls(services.db, by, scope, maxTotals)
    return {
      totals: rows.map(({ key, calls, failed, cached, cost, mean_ms, ...tokens }) => ({
        key,
        calls: Number(calls),
        failed: Number(failed),
        cached: Number(cached),
        cost,
        inputTokens: Number(tokens.input_tokens),
        outputTokens: Number(tokens.output_tokens),
        meanLatency: mean_ms,
      })),
    }
  },

  async listModelBudgets({ services: { db }, caller: { workspaceId } }) {
    const spent = await readSpend(db, workspaceId)
    const budgets = await listBudgets(db, workspaceId)
    return { budgets: budgets.map((one) => toModelBudget(one, spent.get(one.id) ?? 0)) }
  },

  async createModelBudget({ services, caller: { workspaceId } }, { body }) {
    const { scopeId: scope_id = null, ...budget } = body
    const made = await createBudget(services.db, workspaceId, { ...budget, scope_id })
    await changed(services, workspaceId)
    return { budget: toModelBudget(made, 0) }
  },

  async deleteModelBudget({ services, caller: { workspaceId } }, { params }) {
    await deleteBudget(services.db, workspaceId, params.id)
    await changed(services, workspaceId)
    return {}
  },

  async listModelProviders({ services, caller }) {
    return {
      providers: (await listProviders(services.db, caller.workspaceId)).map(toProvider),
    }
  },

  async setModelProvider({ services, caller: { workspaceId } }, { params, body }) {
    const { type, url = null, key, models } = body
    if (url !== null) await services.outgoing.checkUrl(workspaceId, 'url', url)
    const row = await setProvider(services.db, services.secrets, workspaceId, {
      name: params.name,
      type,
      models: models as ProviderRow['models'],
      key,
      url: url?.replace(/\/+$/, '') ?? null,
    })
    await changed(services, workspaceId)
    return { provider: toProvider(row) }
  },

  async deleteModelProvider({ services, caller: { workspaceId } }, { params }) {
    await deleteProvider(services.db, workspaceId, params.name)
    await changed(services, workspaceId)
    return {}
  },
}

/** Every server reads the workspace's budgets and providers again. */
const changed = (services: Services, workspaceId: string) =>
  services.afterCommit((after) => after.invalidate({ workspaceId }))

/** Returns the calls in the handling of an event, oldest first. */
export async function listEventCalls(
  db: Services['db'],
  botId: string,
  eventId: string,
  limit: number,
) {
  const rows = await listCalls(db, botId, { eventId, position: null, limit })
  return rows.reverse().map(toModelCall)
}

function toModelCall(row: CallRow): ModelCall {
  const links = {
    conversationId: row.conversation_id,
    userId: row.user_id,
    eventId: row.event_id,
    source: row.source,
    timeToFirstToken: row.first_token_ms,
    error: row.error,
  }
  const present = Object.fromEntries(
    Object.entries(links).filter(([, value]) => value !== null),
  )
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    botId: row.bot_id,
    kind: row.kind,
    model: row.model,
    provider: row.provider,
    fallbackPath: row.fallback_path,
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    cost: row.cost,
    latency: row.ms,
    cached: row.cached,
    outcome: row.outcome,
    ...present,
  }
}

const toModelBudget = ({ scope_id, ...budget }: Budget, used: number): ModelBudget => ({
  ...budget,
  ...(scope_id !== null && { scopeId: scope_id }),
  used,
})

const toProvider = ({ url, key, updated_at, ...row }: ProviderRow): ModelProvider => ({
  ...(row as Pick<ModelProvider, 'name' | 'type' | 'models'>),
  ...(url !== null && { url }),
  hasKey: key !== null,
  updatedAt: updated_at.toISOString(),
})
