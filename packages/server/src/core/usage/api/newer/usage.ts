import {
  type BillingFeature,
  billingFeatures,
  type FeatureUsage,
  type Handlers,
  type newer,
} from '@botstead/contract'
import type { Caller, Context, Contexts } from '../../../http/index.ts'
import { findUsages, isCounted, parseMonth } from '../../usages.ts'
import { countedAs, quotaOfFeature } from './features.ts'

export const usage: Handlers<typeof newer.usage, Contexts> = {
  async getWorkspaceUsage(context, { query: { feature, period } }) {
    const [[, found]] = (await usageFor(context, [feature], period)) as [
      [string, FeatureUsage],
    ]
    return found
  },

  async getWorkspaceUsages(context, { query }) {
    return {
      quotas: Object.fromEntries(
        await usageFor(context, [...billingFeatures], query.period),
      ),
    }
  },
}

/**
 * For past months, only counted events are known. Features that measure a current amount have no
 * usage then.
 */
async function usageFor(
  { services: { db, limits }, caller }: Context<Caller<'workspace'>>,
  features: BillingFeature[],
  period: string,
): Promise<[BillingFeature, FeatureUsage][]> {
  const month = parseMonth(period)
  const isNow = month.getTime() === parseMonth(undefined).getTime()
  const types = features
    .map(countedAs)
    .filter((type) => type !== null)
    .filter((type) => isNow || isCounted(type))
  const [used] = await findUsages(
    db,
    [{ workspaceId: caller.workspaceId, botId: null }],
    types,
    month,
  )
  return features.map((feature) => {
    const type = countedAs(feature)
    const value = type ? used?.[type] : undefined
    const quota = quotaOfFeature(limits, feature)
    return [feature, value === undefined ? { quota } : { usage: value, quota }]
  })
}
