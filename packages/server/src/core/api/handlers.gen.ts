// Written by `npm run generate` from the files beside it.
import { account } from './admin/account.ts'
import { audit as adminAudit } from './admin/audit.ts'
import { bots } from './admin/bots.ts'
import { members as adminMembers } from './admin/members.ts'
import { tokens } from './admin/tokens.ts'
import { workspaces } from './admin/workspaces.ts'
import { audit as platformAudit } from './platform/audit.ts'
import { members as platformMembers } from './platform/members.ts'
import { events } from './runtime/events.ts'

export const handlers = {
  admin: {
    account,
    audit: adminAudit,
    bots,
    members: adminMembers,
    tokens,
    workspaces,
  },
  platform: {
    audit: platformAudit,
    members: platformMembers,
  },
  runtime: {
    events,
  },
}
