import { type Static, Type as T } from 'typebox'
import { closed, dictionary, nullable, Timestamp } from '../../fields.ts'

export const billingFeatures = [
  'incoming_messages_events',
  'integration_spend',
  'table_rows',
  'bot_count',
  'collaborator_count',
  'file_storage',
  'vector_db_storage',
  'saved_versions',
  'indexed_file_count',
  'conversation_sessions',
  'ai_spend',
] as const
export type BillingFeature = (typeof billingFeatures)[number]
export const BillingFeature = T.Enum([...billingFeatures])

const price = closed({ amount: T.Number(), currency: T.String() })

export const Plan = closed({
  id: T.String(),
  name: T.String(),
  description: T.String(),
  prices: closed({ month: T.Optional(price), year: T.Optional(price) }),
  features: dictionary(T.Number()),
})
export type Plan = Static<typeof Plan>

export const Subscription = closed({
  plan: closed({
    current: closed({
      status: T.Literal('active'),
      planId: T.String(),
      interval: T.Enum(['month', 'year']),
      price: T.Number(),
      cancelAtPeriodEnd: T.Boolean(),
      periodEnd: Timestamp,
    }),
    next: T.Null(),
  }),
  addons: closed({}),
  discounts: T.Array(T.Never()),
})

/**
 * `usage` is absent for features that the server does not count. 9007199254740991 means unlimited.
 */
export const FeatureUsage = closed({ usage: T.Optional(T.Number()), quota: T.Number() })
export type FeatureUsage = Static<typeof FeatureUsage>

export const BillingAddress = T.Object({
  lineOne: T.String(),
  lineTwo: T.Optional(T.String()),
  city: T.String(),
  state: T.Optional(T.String()),
  postalCode: T.String(),
  country: T.String(),
})

/** Always null: an installation has no payment method. */
export const NoPaymentMethod = closed({
  paymentMethod: nullable(closed({ id: T.String() })),
})
