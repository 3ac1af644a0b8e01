import { ApiError, type admin, type Handlers } from '@botstead/contract'
import type { Contexts } from '../../services.ts'

/** Nobody is billed. What would act upon an invoice or a budget says so; what only asks, gets the true answer. */
export const billing: Handlers<(typeof admin)['billing'], Contexts> = {
  async listWorkspaceInvoices() {
    return { invoices: [] }
  },

  async getUpcomingInvoice() {
    return { total: 0, lineItems: [] }
  },

  async chargeWorkspaceUnpaidInvoices(_, { body }) {
    const [named] = body.invoiceIds ?? []
    if (named !== undefined) throw new ApiError('ResourceNotFound', `Invoice "${named}" was not found`)
    return { chargedInvoices: [], failedInvoices: [] }
  },

  /** It is there from the beginning. */
  async migrateWorkspaceToV4() {
    return {}
  },

  async changeAISpendQuota() {
    throw new ApiError(
      'ResourceNotFound',
      'There is no spending here to limit: models are paid where their keys are from',
    )
  },
}
