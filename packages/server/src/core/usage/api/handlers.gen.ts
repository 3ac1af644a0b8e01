// Written by `npm run generate` from the files beside it.
import { billing as adminBilling } from './admin/billing.ts'
import { usages } from './admin/usages.ts'
import { billing as newerBilling } from './newer/billing.ts'
import { usage } from './newer/usage.ts'

export const handlers = {
  admin: {
    billing: adminBilling,
    usages,
  },
  newer: {
    billing: newerBilling,
    usage,
  },
}
