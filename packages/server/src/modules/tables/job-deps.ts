import type { Blobs } from '../../infra/blobs/blobs.ts'
import type { Limits } from '../../infra/config/limits.ts'
import type { Database, Db } from '../../infra/db/database.ts'
import type { Workbooks } from './workbooks.ts'

/** The dependencies of every kind of table job. */
export interface JobDeps {
  db: Db
  database: Database
  blobs: Blobs
  limits: Limits
  workbooks: Workbooks
  /**
   * Called between steps. Throws during shutdown: finished steps are kept, and another
   * process continues the job.
   */
  checkStopped: () => void
}
