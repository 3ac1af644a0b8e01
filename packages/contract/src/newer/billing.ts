import { Type as T } from 'typebox'
import { closed, Done, dictionary, Meta, paging } from '../fields.ts'
import {
  BillingAddress,
  NoPaymentMethod,
  Plan,
  Subscription,
} from '../models/usage/billing.ts'
import { operation } from '../operation.ts'

const base = '/v2/billing'
const read = { method: 'GET', access: 'workspace', permission: 'billing.read' } as const
const write = {
  access: 'workspace',
  permission: 'billing.write',
  errors: ['ResourceNotFound'],
} as const
const named = (id: string) => T.Object({ [id]: T.String({ maxLength: 200 }) })

/**
 * For dashboards newer than 1.82. An installation has one plan, free of charge, and rejects every
 * order.
 */
export const billing = {
  getBillingReadonly: operation({
    ...read,
    path: `${base}/readonly`,
    summary: 'Check whether billing is read-only',
    description: 'Always true.',
    response: closed({ planReadonly: T.Boolean(), addonsReadonly: T.Boolean() }),
  }),
  getBillingAddress: operation({
    ...read,
    path: `${base}/address`,
    summary: 'Get the billing address (none exists)',
    response: closed({ address: T.Null() }),
  }),
  setBillingAddress: operation({
    ...write,
    method: 'PUT',
    path: `${base}/address`,
    summary: 'Set the billing address (always rejected)',
    body: BillingAddress,
    response: Done,
  }),
  listPlans: operation({
    ...read,
    path: `${base}/plans`,
    summary: 'List plans',
    description: 'An installation has exactly one plan.',
    response: T.Array(Plan),
  }),
  getPlan: operation({
    ...read,
    path: `${base}/plans/{planId}`,
    summary: 'Get a plan',
    params: named('planId'),
    response: Plan,
    errors: ['ResourceNotFound'],
  }),
  setPlan: operation({
    ...write,
    method: 'PUT',
    path: `${base}/plans`,
    summary: 'Change the plan (always rejected)',
    body: T.Object({ planId: T.String(), interval: T.Enum(['month', 'year']) }),
    response: Subscription,
  }),
  listAddons: operation({
    ...read,
    path: `${base}/addons`,
    summary: 'List add-ons (none exist)',
    response: T.Array(T.Never()),
  }),
  getAddon: operation({
    ...read,
    path: `${base}/addons/{addonId}`,
    summary: 'Get an add-on (none exists)',
    params: named('addonId'),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  setAddons: operation({
    ...write,
    method: 'PATCH',
    path: `${base}/addons`,
    summary: 'Order add-ons (always rejected)',
    body: T.Object({ addons: dictionary(T.Number()) }),
    response: Subscription,
  }),
  getSubscription: operation({
    ...read,
    path: `${base}/subscriptions`,
    summary: 'Get the subscription',
    description: 'Always active and free of charge.',
    response: Subscription,
  }),
  previewSubscriptionUpdate: operation({
    ...write,
    method: 'POST',
    path: `${base}/subscriptions/preview`,
    summary: 'Preview a change of plan (always rejected)',
    body: T.Object({
      plan: T.Object({ planId: T.String(), interval: T.Enum(['month', 'year']) }),
    }),
    response: Done,
  }),
  setCancelAtPeriodEnd: operation({
    ...write,
    method: 'POST',
    path: `${base}/subscriptions/cancel`,
    summary: 'Cancel the subscription (always rejected)',
    body: closed({}),
    response: Subscription,
  }),
  getAutoRechargeSettings: operation({
    ...read,
    path: `${base}/auto-recharge/settings`,
    summary: 'Get the automatic recharge settings (always empty)',
    response: closed({ settings: closed({}) }),
  }),
  setAutoRechargeSettings: operation({
    ...write,
    method: 'PUT',
    path: `${base}/auto-recharge/settings`,
    summary: 'Set the automatic recharge settings (always rejected)',
    body: T.Object({ settings: dictionary(T.Object({ enabled: T.Boolean() })) }),
    response: Done,
  }),
  getTrials: operation({
    ...read,
    path: `${base}/trials`,
    summary: 'List trials (none exist)',
    response: closed({ trials: T.Array(T.Never()) }),
  }),
  createTrial: operation({
    ...write,
    method: 'POST',
    path: `${base}/trials`,
    summary: 'Start a trial (always rejected)',
    body: T.Object({ lengthInDays: T.Number(), plan: T.String() }),
    response: Done,
  }),
  removeTrial: operation({
    ...write,
    method: 'DELETE',
    path: `${base}/trials`,
    summary: 'End the trial (always rejected)',
    response: Done,
  }),
  createCreditGrant: operation({
    ...write,
    method: 'POST',
    path: `${base}/credit-grants`,
    summary: 'Buy credit (always rejected)',
    body: T.Object({ amount: T.Number(), feature: T.Literal('integration_spend') }),
    response: Done,
  }),
  listInvoices: operation({
    ...read,
    path: `${base}/invoices`,
    summary: 'List invoices (none exist)',
    query: T.Object(paging),
    response: closed({ invoices: T.Array(T.Never()), meta: Meta }),
  }),
  payInvoice: operation({
    ...write,
    method: 'POST',
    path: `${base}/invoices/{invoiceId}/pay`,
    summary: 'Pay an invoice (none exists)',
    params: named('invoiceId'),
    body: T.Object({ idempotencyKey: T.Optional(T.String()) }),
    response: Done,
  }),
  getPaymentMethod: operation({
    ...read,
    path: `${base}/payment-methods`,
    summary: 'Get the payment method (none exists)',
    response: NoPaymentMethod,
  }),
  setPaymentMethod: operation({
    ...write,
    method: 'POST',
    path: `${base}/payment-methods`,
    summary: 'Set the payment method (always rejected)',
    body: T.Object({ paymentMethodId: T.String() }),
    response: Done,
  }),
  createPaymentMethodIntent: operation({
    ...write,
    method: 'POST',
    path: `${base}/payment-methods/intent`,
    summary: 'Create a payment method intent (always rejected)',
    body: closed({}),
    response: Done,
  }),
  getQuotas: operation({
    ...read,
    path: `${base}/quotas`,
    summary: 'Get the quotas of the workspace',
    response: dictionary(T.Number()),
  }),
}
