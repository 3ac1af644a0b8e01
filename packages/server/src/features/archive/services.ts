// The services of this feature, which its handlers receive beside those of the core.
import type { ArchiveRunner } from './job-runner.ts'

export interface ArchiveServices {
  /** Writes backups and archives in the background. */
  archives: ArchiveRunner
}
