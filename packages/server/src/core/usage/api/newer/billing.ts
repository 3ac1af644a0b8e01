import {
  ApiError,
  billingFeatures,
  type Handlers,
  type newer,
  type Plan,
} from '@botstead/contract'
import { type Contexts, parsePage } from '../../../http/index.ts'
import { parseMonth } from '../../usages.ts'
import { quotaOfFeature } from './features.ts'

const plan: Plan = {
  id: 'self-hosted',
  name: 'Self-hosted',
  description: 'This installation has no billing.',
  prices: {},
  features: {},
}

const noBilling = async () => {
  throw new ApiError(
    'ResourceNotFound',
    'This installation has no billing: orders and payments are not possible',
  )
}

/** Reads return the true state; orders are rejected. */
export const billing: Handlers<typeof newer.billing, Contexts> = {
  getBillingReadonly: async () => ({ planReadonly: true, addonsReadonly: true }),
  getBillingAddress: async () => ({ address: null }),
  setBillingAddress: noBilling,
  listPlans: async () => [plan],
  async getPlan(_, { params }) {
    if (params.planId !== plan.id)
      throw new ApiError('ResourceNotFound', `Plan "${params.planId}" was not found`)
    return plan
  },
  setPlan: noBilling,
  listAddons: async () => [],
  async getAddon(_, { params }) {
    throw new ApiError('ResourceNotFound', `Add-on "${params.addonId}" was not found`)
  },
  setAddons: noBilling,
  getSubscription: async () => ({
    plan: { current: current(), next: null },
    addons: {},
    discounts: [],
  }),
  previewSubscriptionUpdate: noBilling,
  setCancelAtPeriodEnd: noBilling,
  getAutoRechargeSettings: async () => ({ settings: {} }),
  setAutoRechargeSettings: noBilling,
  getTrials: async () => ({ trials: [] }),
  createTrial: noBilling,
  removeTrial: noBilling,
  createCreditGrant: noBilling,
  /** There is never a second page, so every token is rejected. */
  async listInvoices({ services, caller }, { query }) {
    parsePage(services, ['newer.listInvoices', caller.workspaceId], query)
    return { invoices: [], meta: {} }
  },
  async payInvoice(_, { params }) {
    throw new ApiError('ResourceNotFound', `Invoice "${params.invoiceId}" was not found`)
  },
  getPaymentMethod: async () => ({ paymentMethod: null }),
  setPaymentMethod: noBilling,
  createPaymentMethodIntent: noBilling,
  getQuotas: async ({ services }) =>
    Object.fromEntries(
      billingFeatures.map((feature) => [
        feature,
        quotaOfFeature(services.limits, feature),
      ]),
    ),
}

/** Returns the current period: a calendar month, in UTC. */
function current() {
  const end = parseMonth(undefined)
  end.setUTCMonth(end.getUTCMonth() + 1)
  const nothing = { price: 0, cancelAtPeriodEnd: false, periodEnd: end.toISOString() }
  return { status: 'active', planId: plan.id, interval: 'month', ...nothing } as const
}
