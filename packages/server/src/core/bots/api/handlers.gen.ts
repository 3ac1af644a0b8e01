// Written by `npm run generate` from the files beside it.
import { activities } from './admin/activities.ts'
import { allowlists } from './admin/allowlists.ts'
import { botIssues } from './admin/bot-issues.ts'
import { botKeys } from './admin/bot-keys.ts'
import { issues } from './platform/issues.ts'
import { logs } from './platform/logs.ts'

export const handlers = {
  admin: {
    activities,
    allowlists,
    botIssues,
    botKeys,
  },
  platform: {
    issues,
    logs,
  },
}
