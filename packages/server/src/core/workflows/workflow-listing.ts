// Lists workflows of a bot.
import type { Db } from '../db/index.ts'
import {
  conversationStore,
  hasTags,
  type Tags,
  tagRules,
  type Viewer,
} from '../messaging/index.ts'
import type { WorkflowRow } from './serializers.ts'
import type { WorkflowStatus } from './statuses.ts'

interface WorkflowListing {
  tags?: Tags | undefined
  conversationId?: string | undefined
  userId?: string | undefined
  parentWorkflowId?: string | undefined
  statuses?: WorkflowStatus[] | undefined
  name?: string | undefined
  /** Id of the last workflow of the previous page. */
  position: string | null
  limit: number
}

/** Returns the newest first: ids begin with the time. */
export function listWorkflows(
  db: Db,
  botId: string,
  viewer: Viewer,
  listing: WorkflowListing,
): Promise<WorkflowRow[]> {
  const {
    tags,
    conversationId,
    userId,
    parentWorkflowId,
    statuses,
    name,
    position,
    limit,
  } = listing
  const wanted = {
    conversation_id: conversationId,
    user_id: userId,
    parent_workflow_id: parentWorkflowId,
    name,
  }
  let query = db
    .selectFrom('workflow')
    .selectAll()
    .where('bot_id', '=', botId)
    .where(conversationStore.visibleTo(viewer))
  for (const [column, value] of Object.entries(wanted))
    if (value !== undefined)
      query = query.where(column as keyof typeof wanted, '=', value)
  if (statuses?.length) query = query.where('status', 'in', [...new Set(statuses)])
  if (tags) query = query.where(hasTags(tagRules.toStored(tags, viewer)))
  if (position !== null) query = query.where('id', '<', position)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
