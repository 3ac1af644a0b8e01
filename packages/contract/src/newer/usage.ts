import { Type as T } from 'typebox'
import { closed, dictionary } from '../fields.ts'
import { BillingFeature, FeatureUsage } from '../models/usage/billing.ts'
import { operation } from '../operation.ts'

/** A month (`2026-11`) or any time in it. */
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
    summary: "Get a workspace's usage of one feature",
    query: T.Object({ feature: BillingFeature, period }),
    response: FeatureUsage,
  }),
  getWorkspaceUsages: operation({
    ...read,
    path: '/v2/usage/workspace-usages',
    summary: "Get a workspace's usage of all features",
    query: T.Object({ period }),
    response: closed({ quotas: dictionary(FeatureUsage) }),
  }),
}
