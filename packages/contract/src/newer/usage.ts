import { Type as T } from 'typebox'
import { closed, mapOf } from '../fields.ts'
import { BillingFeature, FeatureUsage } from '../models/billing.ts'
import { operation } from '../operation.ts'

/** Any moment of a month, or the month itself (`2026-11`). */
const period = T.String({ maxLength: 40 })
const read = {
  method: 'GET',
  access: 'workspace',
  permission: 'usage.read',
  errors: ['InvalidQuery'],
} as const

export const usage = {
  getWorkspaceUsage: operation({
    ...read,
    path: '/v2/usage/workspace-usage',
    summary: 'Look up how much of a feature a workspace uses',
    query: T.Object({ feature: BillingFeature, period }),
    response: FeatureUsage,
  }),
  getWorkspaceUsages: operation({
    ...read,
    path: '/v2/usage/workspace-usages',
    summary: 'Look up how much of each feature a workspace uses',
    query: T.Object({ period }),
    response: closed({ quotas: mapOf(FeatureUsage) }),
  }),
}
