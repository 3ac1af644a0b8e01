// Written by `npm run generate` from the files beside it.
import { activities } from './admin/activities.ts'
import { allowlists } from './admin/allowlists.ts'
import { botKeys } from './admin/bot-keys.ts'
import { logs } from './platform/logs.ts'

export const handlers = {
  admin: {
    activities,
    allowlists,
    botKeys,
  },
  platform: {
    logs,
  },
}
