import type { Blobs } from '../blobs/blobs.ts'
import type { Limits } from '../config/limits.ts'
import type { Database, Db } from '../db/database.ts'

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
