// What features do with accounts, see messaging/hooks.ts.
import type { Db } from '../db/index.ts'

export interface AccountHooks {
  /** A workspace was deleted, but its empty row stays because others refer to it. Deletes its other rows. */
  workspaceEmptied: ((db: Db, workspaceId: string) => Promise<unknown>)[]
}
