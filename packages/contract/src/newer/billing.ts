import { Type as T } from 'typebox'
import { closed, Done, Meta, mapOf, paging } from '../fields.ts'
import { BillingAddress, NoPaymentMethod, Plan, Subscription } from '../models/billing.ts'
import { operation } from '../operation.ts'

const base = '/v2/billing'
const read = { method: 'GET', access: 'workspace', permission: 'billing.read' } as const
const write = { access: 'workspace', permission: 'billing.write', errors: ['ResourceNotFound'] } as const
const named = (id: string) => T.Object({ [id]: T.String({ maxLength: 200 }) })

/** Asked for by dashboards newer than 1.82. An installation without billing has one plan, free of charge, and rejects every order. */
export const billing = {
  getBillingReadonly: operation({
    ...read,
    path: `${base}/readonly`,
    summary: 'Look up whether the plan can be changed: it cannot',
    response: closed({ planReadonly: T.Boolean(), addonsReadonly: T.Boolean() }),
  }),
  getBillingAddress: operation({
    ...read,
    path: `${base}/address`,
    summary: 'Look up the billing address: there is none',
    response: closed({ address: T.Null() }),
  }),
  setBillingAddress: operation({
    ...write,
    method: 'PUT',
    path: `${base}/address`,
    summary: 'Set the billing address (rejected)',
    body: BillingAddress,
    response: Done,
  }),
  listPlans: operation({
    ...read,
    path: `${base}/plans`,
    summary: 'List plans: the one of this installation',
    response: T.Array(Plan),
  }),
  getPlan: operation({
    ...read,
    path: `${base}/plans/{planId}`,
    summary: 'Look up a plan',
    params: named('planId'),
    response: Plan,
    errors: ['ResourceNotFound'],
  }),
  setPlan: operation({
    ...write,
    method: 'PUT',
    path: `${base}/plans`,
    summary: 'Change the plan (rejected)',
    body: T.Object({ planId: T.String(), interval: T.Enum(['month', 'year']) }),
    response: Subscription,
  }),
  listAddons: operation({
    ...read,
    path: `${base}/addons`,
    summary: 'List add-ons: there are none',
    response: T.Array(T.Never()),
  }),
  getAddon: operation({
    ...read,
    path: `${base}/addons/{addonId}`,
    summary: 'Look up an add-on (none exists)',
    params: named('addonId'),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  setAddons: operation({
    ...write,
    method: 'PATCH',
    path: `${base}/addons`,
    summary: 'Order add-ons (rejected)',
    body: T.Object({ addons: mapOf(T.Number()) }),
    response: Subscription,
  }),
  getSubscription: operation({
    ...read,
    path: `${base}/subscriptions`,
    summary: 'Look up the subscription: active, and free of charge',
    response: Subscription,
  }),
  previewSubscriptionUpdate: operation({
    ...write,
    method: 'POST',
    path: `${base}/subscriptions/preview`,
    summary: 'Preview another plan (rejected)',
    body: T.Object({ plan: T.Object({ planId: T.String(), interval: T.Enum(['month', 'year']) }) }),
    response: Done,
  }),
  setCancelAtPeriodEnd: operation({
    ...write,
    method: 'POST',
    path: `${base}/subscriptions/cancel`,
    summary: 'Cancel the subscription (rejected)',
    body: closed({}),
    response: Subscription,
  }),
  getAutoRechargeSettings: operation({
    ...read,
    path: `${base}/auto-recharge/settings`,
    summary: 'Look up what is recharged automatically: nothing',
    response: closed({ settings: closed({}) }),
  }),
  setAutoRechargeSettings: operation({
    ...write,
    method: 'PUT',
    path: `${base}/auto-recharge/settings`,
    summary: 'Recharge automatically (rejected)',
    body: T.Object({ settings: mapOf(T.Object({ enabled: T.Boolean() })) }),
    response: Done,
  }),
  getTrials: operation({
    ...read,
    path: `${base}/trials`,
    summary: 'List trials: there are none',
    response: closed({ trials: T.Array(T.Never()) }),
  }),
  createTrial: operation({
    ...write,
    method: 'POST',
    path: `${base}/trials`,
    summary: 'Begin a trial (rejected)',
    body: T.Object({ lengthInDays: T.Number(), plan: T.String() }),
    response: Done,
  }),
  removeTrial: operation({
    ...write,
    method: 'DELETE',
    path: `${base}/trials`,
    summary: 'End the trial (rejected)',
    response: Done,
  }),
  createCreditGrant: operation({
    ...write,
    method: 'POST',
    path: `${base}/credit-grants`,
    summary: 'Buy credit (rejected)',
    body: T.Object({ amount: T.Number(), feature: T.Literal('integration_spend') }),
    response: Done,
  }),
  listInvoices: operation({
    ...read,
    path: `${base}/invoices`,
    summary: 'List invoices: there are none',
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
    summary: 'Look up the payment method: there is none',
    response: NoPaymentMethod,
  }),
  setPaymentMethod: operation({
    ...write,
    method: 'POST',
    path: `${base}/payment-methods`,
    summary: 'Set the payment method (rejected)',
    body: T.Object({ paymentMethodId: T.String() }),
    response: Done,
  }),
  createPaymentMethodIntent: operation({
    ...write,
    method: 'POST',
    path: `${base}/payment-methods/intent`,
    summary: 'Prepare a payment method (rejected)',
    body: closed({}),
    response: Done,
  }),
  getQuotas: operation({
    ...read,
    path: `${base}/quotas`,
    summary: 'Look up how much of each feature there may be',
    response: mapOf(T.Number()),
  }),
}
