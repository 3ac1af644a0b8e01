import type { BlobServices } from '../../core/blobs/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { HttpServices } from '../../core/http/index.ts'
import type { TableRuleServices } from '../../core/table-rules/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { serveArchiveFiles } from './api/platform/archive-files.ts'
import { serveImports } from './api/platform/archive-imports.ts'
import type { ArchiveServices } from './services.ts'

export const archive = {
  name: 'archive',
  handlers,
  routes(server, services) {
    serveArchiveFiles(server, services)
    serveImports(server, services)
  },
} satisfies Feature<ArchiveServices & BlobServices & HttpServices & TableRuleServices>
export { writeAtomically } from './archive-file.ts'
export { listBackupsSince } from './archive-jobs.ts'
export { type BackupOptions, type BackupResult, backUp } from './backups/backup.ts'
export { copyRows } from './backups/copy.ts'
export { type RestoreOptions, type RestoreResult, restore } from './backups/restore.ts'
export {
  type BackupPlan,
  type BackupState,
  startScheduledBackups,
} from './backups/scheduled-backups.ts'
export { verifyBackupFile } from './backups/verification.ts'
export { deleteWorkspaceRows, openChanges, takeChanges } from './changes.ts'
export { type ExportOptions, type ExportResult, exportWorkspace, knownHoldings } from './export.ts'
export { ArchiveError } from './format/archive-error.ts'
export { quoted, readTables } from './format/catalog.ts'
export { type ArchiveReader, readArchive } from './format/container.ts'
export { checkChangesHeading, checkWorkspaceHeading, type Need } from './format/headings.ts'
export { lockWith, type PassphraseLock, unlockWith } from './format/passphrase.ts'
export { openSession } from './format/rows.ts'
export type { ValueOpener } from './format/sealed-values.ts'
export { createSigner, isSignedBy, type Signer, toFingerprint } from './format/signing.ts'
export { endOfArchive, entryHeader, padding } from './format/tar.ts'
export { type Holding, needsQuery } from './format/tenancy.ts'
export {
  checkPackages,
  type ImportOptions,
  type ImportResult,
  type ImportTransaction,
  importWorkspace,
  invalidateCaches,
  takeParts,
} from './import.ts'
export { type ArchiveRunner, startArchiveRunner } from './job-runner.ts'
export { requireInstallation } from './required-installation.ts'
export { type ArchiveServices, archiveBindings } from './services.ts'
export { tables } from './table-rules.ts'
