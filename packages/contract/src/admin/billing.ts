import { Type as T } from 'typebox'
import { byId, closed, Done } from '../fields.ts'
import { Invoice, InvoiceLine } from '../models/invoice.ts'
import { operation } from '../operation.ts'

/** Here because clients ask: whoever runs the server sends no invoices. */
export const billing = {
  listWorkspaceInvoices: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}/billing/invoices',
    access: 'workspace',
    permission: 'billing.read',
    summary: 'List the invoices of a workspace: there are none',
    params: byId,
    response: closed({ invoices: T.Array(Invoice) }),
    errors: ['ResourceNotFound'],
  }),
  getUpcomingInvoice: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}/billing/upcoming-invoice',
    access: 'workspace',
    permission: 'billing.read',
    summary: 'Look up what will have to be paid: nothing',
    params: byId,
    response: closed({ total: T.Number(), lineItems: T.Array(InvoiceLine) }),
    errors: ['ResourceNotFound'],
  }),
  chargeWorkspaceUnpaidInvoices: operation({
    method: 'POST',
    path: '/v1/admin/workspaces/{id}/billing/invoices/charge-unpaid',
    access: 'workspace',
    permission: 'billing.write',
    summary: 'Charge what is unpaid: that is nothing, and an invoice that is named does not exist',
    params: byId,
    body: closed({ invoiceIds: T.Optional(T.Array(T.String(), { minItems: 1 })) }),
    response: closed({
      chargedInvoices: T.Array(T.Object({ id: T.String(), amount: T.Number() })),
      failedInvoices: T.Array(T.Object({ id: T.String(), amount: T.Number(), failedReason: T.String() })),
    }),
    errors: ['ResourceNotFound'],
  }),
  migrateWorkspaceToV4: operation({
    method: 'POST',
    path: '/v1/admin/workspaces/{id}/migrate-to-v4',
    access: 'workspace',
    permission: 'billing.write',
    summary: 'Go over to the newest way of billing, which is that of every workspace from its beginning',
    params: byId,
    body: closed({}),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  changeAISpendQuota: operation({
    method: 'PUT',
    path: '/v1/admin/quotas/ai-spend',
    access: 'workspace',
    permission: 'billing.write',
    summary: 'Limit what is spent on models: refused, since nothing is spent through this server',
    body: closed({ monthlySpendingLimit: T.Number() }),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
