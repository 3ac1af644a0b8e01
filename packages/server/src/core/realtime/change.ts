import type { ChangeNote, Topic } from '@botstead/contract'

/** A change of an object, before the change feed notes it. */
export interface Change extends Omit<ChangeNote, 'topic'> {
  topic: Topic | 'reset'
  /** Required without `botId`, and for a bot that no longer exists. */
  workspaceId?: string
}
