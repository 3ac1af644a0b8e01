// Written by `npm run generate` from the files beside it.
import { account } from './admin/account.ts'
import { members as adminMembers } from './admin/members.ts'
import { tokens } from './admin/tokens.ts'
import { workspaces } from './admin/workspaces.ts'
import { members as platformMembers } from './platform/members.ts'
import { sessions } from './platform/sessions.ts'

export const handlers = {
  admin: {
    account,
    members: adminMembers,
    tokens,
    workspaces,
  },
  platform: {
    members: platformMembers,
    sessions,
  },
}
