import type { Limits } from '../../config/index.ts'
import type { Database, Db } from '../../db/index.ts'
import type { Blobs } from '../../files/index.ts'

/** The dependencies of every kind of table job. */
export interface JobDeps {
  db: Db
  database: Database
  blobs: Blobs
  limits: Limits
  /**
   * Called between steps. Throws during shutdown: finished steps are kept, and another
   * process continues the job.
   */
  checkStopped: () => void
}
