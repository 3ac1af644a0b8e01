import { Type as T } from 'typebox'
import { byId, closed, dictionary, Json, Meta, Moment, paging } from '../fields.ts'
import { ListedQuota, Quota, Usage, UsageKind } from '../models/usage/usage.ts'
import { operation } from '../operation.ts'

/** A month (`2026-11`) or any time in it. By default, the current month. */
const period = T.Optional(T.String())
const ofType = T.Object({ type: UsageKind, period })

export const usages = {
  listWorkspaceUsages: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}/usages',
    access: 'workspace',
    permission: 'usage.read',
    summary: 'Get the usage of a workspace',
    params: byId,
    query: ofType,
    response: closed({ usages: T.Array(Usage) }),
    errors: ['InvalidQuery', 'ResourceNotFound'],
  }),
  breakDownWorkspaceUsageByBot: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}/usages/by-bot',
    access: 'workspace',
    permission: 'usage.read',
    summary: "Break down a workspace's usage by bot",
    description: 'The greatest usage comes first.',
    params: byId,
    query: ofType,
    response: closed({
      data: T.Array(T.Object({ botId: T.String(), value: T.Number() })),
    }),
    errors: ['InvalidQuery', 'ResourceNotFound'],
  }),
  getAllWorkspaceQuotaCompletion: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/usages/quota-completion',
    access: 'account',
    summary: 'Get the most used quota of each workspace',
    description:
      "For each of the caller's workspaces, returns the quota closest to its limit, where 1 is the limit.",
    response: dictionary(closed({ type: UsageKind, completion: T.Number() })),
  }),
  getWorkspaceQuota: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}/quota',
    access: 'workspace',
    permission: 'usage.read',
    summary: 'Get a quota of a workspace',
    params: byId,
    query: ofType,
    response: closed({ quota: Quota }),
    errors: ['InvalidQuery', 'ResourceNotFound'],
  }),
  listWorkspaceQuotas: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}/quotas',
    access: 'workspace',
    permission: 'usage.read',
    summary: 'List the quotas of a workspace',
    params: byId,
    query: T.Object({ period }),
    response: closed({ quotas: T.Array(ListedQuota) }),
    errors: ['InvalidQuery', 'ResourceNotFound'],
  }),
  getUsage: operation({
    method: 'GET',
    path: '/v1/admin/usages/{id}',
    access: 'workspace',
    permission: 'usage.read',
    summary: 'Get the usage of a bot or workspace',
    params: byId,
    query: ofType,
    response: closed({ usage: Usage }),
    errors: ['InvalidQuery', 'ResourceNotFound'],
  }),
  getMultipleUsages: operation({
    method: 'GET',
    path: '/v1/admin/usages/multiple',
    access: 'account',
    summary: 'Get several usages of workspaces or bots',
    description: 'The caller must be a member of the workspaces.',
    query: T.Object({ types: T.Array(T.String()), ids: T.Array(T.String()), period }),
    response: closed({ usages: T.Array(Usage) }),
    errors: ['InvalidQuery', 'ResourceNotFound'],
  }),
  listUsageHistory: operation({
    method: 'GET',
    path: '/v1/admin/usages/{id}/history',
    access: 'workspace',
    permission: 'usage.read',
    summary: 'List a usage by month, newest first',
    params: byId,
    query: T.Object({ type: UsageKind }),
    response: closed({ usages: T.Array(Usage) }),
    errors: ['InvalidQuery', 'ResourceNotFound'],
  }),
  listUsageActivity: operation({
    method: 'GET',
    path: '/v1/admin/usages/{id}/activity',
    access: 'workspace',
    permission: 'usage.read',
    summary: 'List a usage by day and bot',
    description: 'Newest first.',
    params: byId,
    query: T.Object({
      type: UsageKind,
      timestampFrom: T.Optional(Moment),
      timestampUntil: T.Optional(Moment),
      ...paging,
    }),
    response: closed({
      data: T.Array(
        T.Object({
          timestamp: T.String(),
          value: T.Number(),
          period: T.String(),
          metadata: Json,
        }),
      ),
      meta: Meta,
    }),
    errors: ['InvalidQuery', 'ResourceNotFound'],
  }),
  listUsageActivityDaily: operation({
    method: 'GET',
    path: '/v1/admin/usages/{id}/daily-activity',
    access: 'workspace',
    permission: 'usage.read',
    summary: 'List a usage by day, newest first',
    params: byId,
    query: T.Object({
      type: UsageKind,
      dateFrom: T.Optional(Moment),
      dateUntil: T.Optional(Moment),
      ...paging,
    }),
    response: closed({
      data: T.Array(
        T.Object({
          key: T.String(),
          date: T.String(),
          value: T.Number(),
          metadata: T.Optional(
            T.Object({
              botId: T.String(),
              type: T.Enum([
                'IntegrationAction',
                'FileIndexing',
                'BingSearch',
                'WebSearch',
              ]),
              subtype: T.Optional(T.String()),
              source: T.Optional(T.String()),
            }),
          ),
        }),
      ),
      meta: Meta,
    }),
    errors: ['InvalidQuery', 'ResourceNotFound'],
  }),
}
