// The package's only entry point.

export {
  backUpToFile,
  exportToFile,
  importFromFile,
  restoreFromFile,
} from './app/archives.ts'
export {
  cancelMove,
  endForwarding,
  followMove,
  type MoveStatus,
  readMove,
  requestWorkspaceMove,
} from './app/move.ts'
export { openReadableLog } from './app/readable-log.ts'
export {
  migrateDatabase,
  type PageOptions,
  type RunningServer,
  type StartOptions,
  startServer,
} from './app/start.ts'
export { type Config, ConfigError, readConfig } from './core/config/config.ts'
export { DatabaseError } from './core/db/connection/database-error.ts'
export type { PlannedEffect, PlannedMigration } from './core/db/migrating/migration-plan.ts'
export type { Credentials } from './core/installation/credentials.ts'
export { StartAborted, StartError } from './core/lib/process/start-error.ts'
export { ArchiveError } from './features/archive/format/archive-error.ts'
export { examine } from './features/operator/doctor/examine.ts'
export type { Finding } from './features/operator/doctor/finding.ts'
export { finishRotation, type Rotation, rotateMasterKey } from './features/operator/key-rotation.ts'
export { createSignInLinkFor, type OperatorLink } from './features/operator/operator-links.ts'
export { createTokenFor, type OperatorToken } from './features/operator/operator-tokens.ts'
export { planDatabaseMigrations, upgradeDatabase } from './features/operator/upgrades.ts'
