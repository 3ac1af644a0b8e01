// The package's only entry point.

export { backUpToFile, exportToFile, importFromFile, restoreFromFile } from './app/archives.ts'
export { examine } from './app/doctor/examine.ts'
export type { Finding } from './app/doctor/finding.ts'
export type { Credentials } from './app/first-start.ts'
export { finishRotation, type Rotation, rotateMasterKey } from './app/key-rotation.ts'
export {
  cancelMove,
  endForwarding,
  followMove,
  type MoveStatus,
  readMove,
  requestWorkspaceMove,
} from './app/move.ts'
export { createSignInLinkFor, type OperatorLink } from './app/operator-links.ts'
export { createTokenFor, type OperatorToken } from './app/operator-tokens.ts'
export { openReadableLog } from './app/readable-log.ts'
export {
  migrateDatabase,
  type PageOptions,
  type RunningServer,
  type StartOptions,
  startServer,
} from './app/start.ts'
export { planDatabaseMigrations, upgradeDatabase } from './app/upgrades.ts'
export { type Config, ConfigError, readConfig } from './infra/config/config.ts'
export { DatabaseError } from './infra/db/database-error.ts'
export type { PlannedEffect, PlannedMigration } from './infra/db/migration-plan.ts'
export { StartAborted, StartError } from './infra/lib/start-error.ts'
export { ArchiveError } from './modules/archive/archive-error.ts'
