import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const operator = { name: 'operator', handlers } satisfies Feature
export { examine } from './doctor/examine.ts'
export type { Finding } from './doctor/finding.ts'
export { openInstallation } from './installation.ts'
export { finishRotation, type Rotation, rotateMasterKey } from './key-rotation.ts'
export { createSignInLinkFor, type OperatorLink } from './operator-links.ts'
export { createTokenFor, type OperatorToken } from './operator-tokens.ts'
export { createOwnerLink } from './owner-link.ts'
export { type OperatorServices, operatorBindings } from './services.ts'
export { planDatabaseMigrations, upgradeDatabase } from './upgrades.ts'
