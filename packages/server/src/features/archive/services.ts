// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { ArchiveRunner } from './job-runner.ts'
import type { Relocations } from './moves/relocations.ts'

export interface ArchiveServices {
  /** Writes backups and archives in the background. */
  archives: ArchiveRunner
  /** Workspaces that leave, have left, or arrive. */
  relocations: Relocations
}

export const bindings = {
  archives: { start: 'deferred', run: 'immediate', sweep: 'deferred', stop: 'immediate' },
  relocations: { changed: 'immediate', refresh: 'deferred', stop: 'immediate' },
} satisfies Bindings<ArchiveServices>
