// Written by `npm run generate` from the files beside it.
import { shareableIds } from './admin/shareable-ids.ts'
import { vrl } from './admin/vrl.ts'
import { installedIntegrations } from './platform/installed-integrations.ts'
import { integrations } from './runtime/integrations.ts'

export const handlers = {
  admin: {
    shareableIds,
    vrl,
  },
  platform: {
    installedIntegrations,
  },
  runtime: {
    integrations,
  },
}
