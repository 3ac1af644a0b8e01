// The package's only entry point.

export { StartAborted, StartError } from '@botstead/lib'
export {
  backUpToFile,
  cancelMove,
  endForwarding,
  exportToFile,
  followMove,
  importFromFile,
  readMove,
  requestWorkspaceMove,
  restoreFromFile,
} from './app/archives.ts'
export { openReadableLog } from './app/readable-log.ts'
export {
  migrateDatabase,
  type RunningServer,
  type StartOptions,
  startServer,
} from './app/start.ts'
export { type Config, ConfigError, readConfig } from './core/config/index.ts'
export type { PlannedMigration } from './core/db/index.ts'
export { DatabaseError } from './core/db/index.ts'
export type { PageOptions } from './core/http/index.ts'
export type { Credentials } from './core/installation/index.ts'
export { ArchiveError, type MoveStatus } from './features/archive/index.ts'
export {
  createSignInLinkFor,
  createTokenFor,
  examine,
  finishRotation,
  planDatabaseMigrations,
  rotateMasterKey,
  upgradeDatabase,
} from './features/operator/index.ts'
