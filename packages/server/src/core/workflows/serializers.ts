// Converts workflow rows for bots and integrations.
import type { Workflow } from '@botstead/contract'
import type { Selectable } from 'kysely'
import type { Schema } from '../db/index.ts'
import { tagRules, type Viewer } from '../messaging/index.ts'

export type WorkflowRow = Selectable<Schema['workflow']>

/** Converts a row. `viewer` is the alias of the integration, or null for the bot. */
export const toWorkflow = (row: WorkflowRow, viewer: Viewer = null): Workflow => ({
  id: row.id,
  name: row.name,
  status: row.status,
  input: row.input as Record<string, unknown>,
  output: row.output as Record<string, unknown>,
  ...(row.parent_workflow_id !== null && { parentWorkflowId: row.parent_workflow_id }),
  ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
  ...(row.user_id !== null && { userId: row.user_id }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.completed_at !== null && { completedAt: row.completed_at.toISOString() }),
  ...(row.failure_reason !== null && { failureReason: row.failure_reason }),
  timeoutAt: row.timeout_at.toISOString(),
  tags: tagRules.view(row.tags, viewer),
})

const isoTime = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * Returns the same conversion in SQL, as for the bot: the event for the parent contains the child
 * as of the statement that ends it.
 */
export const workflowInSql = (row: string) => `
  jsonb_build_object('id', ${row}.id, 'name', ${row}.name, 'status', ${row}.status, 'input', ${row}.input,
    'output', ${row}.output, 'tags', ${row}.tags,
    'createdAt', ${isoTime(`${row}.created_at`)}, 'updatedAt', ${isoTime(`${row}.updated_at`)},
    'timeoutAt', ${isoTime(`${row}.timeout_at`)})
  || jsonb_strip_nulls(jsonb_build_object('parentWorkflowId', ${row}.parent_workflow_id, 'conversationId',
    ${row}.conversation_id, 'userId', ${row}.user_id,
    'completedAt', ${isoTime(`${row}.completed_at`)}, 'failureReason', ${row}.failure_reason))`
