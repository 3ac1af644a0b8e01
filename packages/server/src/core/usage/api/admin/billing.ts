import { ApiError, type admin, type Handlers } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'

/**
 * This server has no billing. Operations that act on an invoice or a budget fail; reads return
 * empty results.
 */
export const billing: Handlers<(typeof admin)['billing'], Contexts> = {
  async listWorkspaceInvoices() {
    return { invoices: [] }
  },

  async getUpcomingInvoice() {
    return { total: 0, lineItems: [] }
  },

  async chargeWorkspaceUnpaidInvoices(_, { body }) {
    const [named] = body.invoiceIds ?? []
    if (named !== undefined)
      throw new ApiError('ResourceNotFound', `Invoice "${named}" was not found`)
    return { chargedInvoices: [], failedInvoices: [] }
  },

  /** New workspaces already have the V4 format. */
  async migrateWorkspaceToV4() {
    return {}
  },

  async changeAISpendQuota() {
    throw new ApiError(
      'ResourceNotFound',
      'This server has no billing: set spending limits at your model provider',
    )
  },
}
