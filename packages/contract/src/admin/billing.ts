import { Type as T } from 'typebox'
import { byId, closed, Done } from '../fields.ts'
import { Invoice, InvoiceLine } from '../models/usage/invoice.ts'
import { operation } from '../operation.ts'

/** Clients call these operations; a self-hosted server has no invoices. */
export const billing = {
  listWorkspaceInvoices: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}/billing/invoices',
    access: 'workspace',
    permission: 'billing.read',
    summary: 'List the invoices of a workspace',
    description: 'Always empty on a self-hosted server.',
    params: byId,
    response: closed({ invoices: T.Array(Invoice) }),
    errors: ['ResourceNotFound'],
  }),
  getUpcomingInvoice: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}/billing/upcoming-invoice',
    access: 'workspace',
    permission: 'billing.read',
    summary: 'Get the upcoming invoice of a workspace',
    description: 'The total is always 0 on a self-hosted server.',
    params: byId,
    response: closed({ total: T.Number(), lineItems: T.Array(InvoiceLine) }),
    errors: ['ResourceNotFound'],
  }),
  chargeWorkspaceUnpaidInvoices: operation({
    method: 'POST',
    path: '/v1/admin/workspaces/{id}/billing/invoices/charge-unpaid',
    access: 'workspace',
    permission: 'billing.write',
    summary: 'Charge the unpaid invoices of a workspace',
    description: 'There are none; an invoice id in the request is answered with 404.',
    params: byId,
    body: closed({ invoiceIds: T.Optional(T.Array(T.String(), { minItems: 1 })) }),
    response: closed({
      chargedInvoices: T.Array(T.Object({ id: T.String(), amount: T.Number() })),
      failedInvoices: T.Array(
        T.Object({ id: T.String(), amount: T.Number(), failedReason: T.String() }),
      ),
    }),
    errors: ['ResourceNotFound'],
  }),
  migrateWorkspaceToV4: operation({
    method: 'POST',
    path: '/v1/admin/workspaces/{id}/migrate-to-v4',
    access: 'workspace',
    permission: 'billing.write',
    summary: 'Migrate a workspace to billing v4 (no effect)',
    description: 'Has no effect: every workspace uses this version already.',
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
    summary: 'Set the AI spending limit (always rejected)',
    description: 'Models are not paid through this server.',
    body: closed({ monthlySpendingLimit: T.Number() }),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
