// The rules of a table: its rows in archives, its encrypted columns, its data of persons, its retention.
import type { AgeRule } from './ages.ts'
import type { PersonRule } from './persons.ts'
import type { SealedColumn } from './sealed.ts'

/** Returns a condition on the row `r`: it belongs to the workspace, a quoted text. */
type BelongsToWorkspace = (workspace: string) => string

export interface TableRules {
  /**
   * The rows that archives and moves of a workspace contain. `derived`: those that `workspace_id`, `bot_id`
   * or a foreign key assigns to the workspace. An archive is a copy, which other people may use. A move
   * carries also what would make two of them: short-lived rows, and the personal tokens of the members.
   */
  owner:
    | 'derived'
    | { where: BelongsToWorkspace; whereInMoves?: BelongsToWorkspace }
    /** The reason. `isMoved`: only archives omit the rows. */
    | { leftOut: string; isMoved?: true }
  /** Encrypted columns. A transfer to another installation encrypts their values again. */
  sealed?: Record<string, SealedColumn>
  /** Columns with bytes that are not encrypted. */
  plainBytes?: string[]
  /** The table is useless without secrets. */
  onlyWithSecrets?: true
  /**
   * The rows that belong to a person. `none`: why an erasure does not delete rows itself, although a
   * column may name a person.
   */
  person?: PersonRule | { none: string }
  /** The rows that are deleted at an age. */
  retention?: AgeRule
}

/** The rules of tables by their names. */
export type Tables = Record<string, TableRules>

/** Selects the ids of the bots of a workspace, a quoted text. */
export const selectBots = (workspace: string) =>
  `(select id from bot where workspace_id = ${workspace})`
