// Written by `npm run generate` from the files beside it.
import { audit as adminAudit } from './admin/audit.ts'
import { audit as platformAudit } from './platform/audit.ts'

export const handlers = {
  admin: {
    audit: adminAudit,
  },
  platform: {
    audit: platformAudit,
  },
}
