import type { AuditServices } from '../../core/audit/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { BlobServices } from '../../core/files/index.ts'
import type { HttpHooks, HttpServices } from '../../core/http/index.ts'
import type { TableRuleServices } from '../../core/table-rules/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { serveArchiveFiles } from './api/platform/archive-files.ts'
import { serveImports } from './api/platform/archive-imports.ts'
import { serveArrivals } from './api/platform/arrivals.ts'
import { openRelocator } from './moves/relocation.ts'
import { openArchives } from './open.ts'
import { type ArchiveServices, bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const archive = {
  name: 'archive',
  tables,
  bindings,
  handlers,
  open: openArchives,
  hooks(hooks: HttpHooks, services: HttpServices & ArchiveServices) {
    hooks.relocator = openRelocator(services)
  },
  routes(server, services) {
    serveArchiveFiles(server, services)
    serveImports(server, services)
    serveArrivals(server, services)
  },
} satisfies Feature<
  ArchiveServices & AuditServices & BlobServices & HttpServices & TableRuleServices
>
export { listBackupsSince } from './archive-jobs.ts'
export { copyRows } from './backups/copy.ts'
export type { BackupState } from './backups/scheduled-backups.ts'
export { createCommands } from './bound-commands.ts'
export { ArchiveError } from './format/archive-error.ts'
export { openSession } from './format/rows.ts'
export { createSigner } from './format/signing.ts'
export { packTar } from './format/tar.ts'
export type { MoveStatus } from './moves/commands.ts'
export { requireInstallation } from './required-installation.ts'
