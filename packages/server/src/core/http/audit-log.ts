// The audit log, as requests write to it. core/audit implements it.
import type { AuditAction } from '@botstead/contract'
import type { Database, Db } from '../db/index.ts'

export interface NewAuditRecord {
  accountId: string | null
  tokenId: string | null
  ip: string
  /** `family.name` */
  operation: string
  action: AuditAction
  targetId: string | null
  targetName: string | null
  result: 'done' | 'refused' | 'failed'
  /** Adds no record if an equal one was added within so many minutes. */
  quietMinutes?: number | undefined
}

export interface AuditLog {
  /** Writes the record into each of the chains, in the transaction of `database` if there is one. */
  record(database: Database, chains: string[], record: NewAuditRecord): Promise<void>
  /** Returns the chains of the account's workspaces; without any, its own. */
  accountChains(db: Db, accountId: string): Promise<string[]>
}

export interface Logins {
  /** Records the first use of a token. Skips the query for uses that this process has seen before. */
  note(use: TokenUse): Promise<void>
}

interface TokenUse {
  tokenId: string
  accountId: string
  workspaceId: string | null
  ip: string
}
