// Written by `npm run generate` from the files beside it.
import { hubIntegrations } from './admin/hub-integrations.ts'
import { integrationKeys } from './admin/integration-keys.ts'
import { integrationLogs } from './admin/integration-logs.ts'
import { integrations as adminIntegrations } from './admin/integrations.ts'
import { interfaces } from './admin/interfaces.ts'
import { introspection } from './admin/introspection.ts'
import { plugins } from './admin/plugins.ts'
import { integrations as newerIntegrations } from './newer/integrations.ts'
import { builtPackages } from './platform/built-packages.ts'
import { deployments } from './platform/deployments.ts'

export const handlers = {
  admin: {
    hubIntegrations,
    integrationKeys,
    integrationLogs,
    integrations: adminIntegrations,
    interfaces,
    introspection,
    plugins,
  },
  newer: {
    integrations: newerIntegrations,
  },
  platform: {
    builtPackages,
    deployments,
  },
}
