import { Type as T } from 'typebox'
import { nullable, Timestamp } from '../../fields.ts'

/** For clients only: a self-hosted server has no invoices. @component */
export const Invoice = T.Object({
  id: T.String(),
  period: T.Object({ month: T.Number(), year: T.Number() }),
  date: Timestamp,
  amount: T.Number(),
  currency: T.String({ maxLength: 3 }),
  paymentStatus: nullable(
    T.Enum(['deleted', 'draft', 'open', 'paid', 'uncollectible', 'void']),
  ),
  dueDate: T.Optional(T.String()),
  paymentAttemptCount: nullable(T.Number()),
  nextPaymentAttemptDate: nullable(Timestamp),
  pdfUrl: T.String({ format: 'uri' }),
})

const Day = T.String({ format: 'date' })

/** @component */
export const InvoiceLine = T.Object({
  id: T.String(),
  description: T.String(),
  totalInCents: T.Number(),
  currency: T.String({ maxLength: 3 }),
  pricePerUnitInCents: nullable(T.Number()),
  quantity: nullable(T.Number()),
  type: T.Enum(['invoiceitem', 'subscription']),
  periodStart: nullable(Day),
  periodEnd: nullable(Day),
})
