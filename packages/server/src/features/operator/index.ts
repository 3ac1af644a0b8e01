import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { openInstallation } from './installation.ts'
import { bindings, type OperatorServices } from './services.ts'

export const operator = {
  name: 'operator',
  bindings,
  handlers,
  open: (
    deps: Parameters<typeof openInstallation>[0],
  ): { services: OperatorServices } => ({
    services: { installation: openInstallation(deps) },
  }),
} satisfies Feature
export { examine } from './doctor/examine.ts'
export { finishRotation, rotateMasterKey } from './key-rotation.ts'
export { createSignInLinkFor } from './operator-links.ts'
export { createTokenFor } from './operator-tokens.ts'
export { createOwnerLink } from './owner-link.ts'
export { planDatabaseMigrations, upgradeDatabase } from './upgrades.ts'
