// Owns the table workflow and has its operations. For continuation after events see loop.ts, for
// time-outs clock.ts. An integration sees only the workflows that it created.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { type Database, type Db, isMissing, statement } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import {
  checkReferences,
  conversationStore,
  getOrCreate,
  hasTags,
  mergedTags,
  type TagChange,
  type TagInput,
  type Tags,
  tagRules,
  type Viewer,
} from '../messaging/index.ts'
import type { Queue } from '../queue/index.ts'
import type { WorkflowRow } from './serializers.ts'
import { active, finished, type WorkflowStatus } from './statuses.ts'
import { dispatchUpdates, enqueueUpdates, type QueuedUpdates } from './update-events.ts'

export interface WorkflowDeps {
  db: Db
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
}
/** The caller. `cause` is the event during which hosted code calls, otherwise null. */
export interface WorkflowCaller {
  botId: string
  viewer: Viewer
  cause: string | null
}

export type Json = Record<string, unknown>

export interface NewWorkflow {
  name: string
  /**
   * `in_progress` requires `eventId`: the workflow continues when the handling of that event is
   * over.
   */
  status: 'pending' | 'in_progress' | 'listening'
  input?: Json | undefined
  parentWorkflowId?: string | undefined
  conversationId?: string | undefined
  userId?: string | undefined
  timeoutAt?: Date | undefined
  tags?: TagInput | undefined
  eventId?: string | undefined
}

export const noWorkflow = (id: string) =>
  new ApiError('ResourceNotFound', `Workflow "${id}" was not found`)

/** Throws ResourceNotFound. */
export async function findWorkflow(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer = null,
): Promise<WorkflowRow> {
  const found = await db
    .selectFrom('workflow')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where(conversationStore.visibleTo(viewer))
    .executeTakeFirst()
  if (!found) throw noWorkflow(id)
  return found
}

const createStatement = statement<{
  botId: string
  id: string
  name: string
  status: string
  integration: string | null
  input: string
  tags: string
  parentWorkflowId: string | null
  conversationId: string | null
  userId: string | null
  timeoutAt: Date | null
  handledIn: string | null
  eventId: string
  deliveryId: string
  cause: string | null
  owner: string | null
}>(
  'create-workflow',
  `
  with made as (
    insert into workflow (bot_id, id, name, status, integration, input, tags, parent_workflow_id,
      conversation_id, user_id, timeout_at, handled_in, step_event_id)
    values (:botId, :id, :name, :status::text, :integration, :input, :tags, :parentWorkflowId,
      :conversationId, :userId, coalesce(:timeoutAt::timestamptz, now() + interval '5 minutes'),
      :handledIn, case when :status = 'pending' then :eventId::text end)
    returning *
  ),
  news as (
    select bot_id, id as workflow_id, '{"type": "workflow_started"}'::jsonb as payload,
      step_event_id as event_id, :deliveryId::text as delivery_id, 1 as ord
    from made where step_event_id is not null
  ),
  ${enqueueUpdates(':cause', ':owner')}
  select made.*, queued.placed from made cross join queued`,
)

/**
 * Creates a workflow, and starts it if it is pending. Throws ReferenceNotFound if something that it
 * refers to does not exist.
 */
export async function createWorkflow(
  deps: WorkflowDeps,
  caller: WorkflowCaller,
  given: NewWorkflow,
): Promise<WorkflowRow> {
  const { set } = changeOfWorkflowTags(given.tags, caller.viewer)
  await checkNamed(deps.db, caller, given)
  return insertWorkflow(deps, caller, given, set)
}

async function insertWorkflow(
  { database, deliveries }: WorkflowDeps,
  { botId, viewer, cause }: WorkflowCaller,
  given: NewWorkflow,
  tags: Tags,
): Promise<WorkflowRow> {
  const { name, status, input = {}, eventId = null } = given
  const bound = createStatement({
    botId,
    id: newId('workflow'),
    name,
    status,
    integration: viewer,
    input: JSON.stringify(input),
    tags: JSON.stringify(tags),
    parentWorkflowId: given.parentWorkflowId ?? null,
    conversationId: given.conversationId ?? null,
    userId: given.userId ?? null,
    timeoutAt: given.timeoutAt ?? null,
    handledIn: status === 'in_progress' ? eventId : null,
    eventId: newId('event'),
    deliveryId: newId('delivery'),
    cause,
    owner: deliveries.owner,
  })
  const [made] = await checkingReferences(() =>
    database.run<WorkflowRow & QueuedUpdates>(...bound),
  )
  dispatchUpdates(deliveries, made!.placed)
  return made!
}

/** Maps a violated foreign key: a reference that was checked may be deleted before the write. */
export async function checkingReferences<T>(write: () => Promise<T>): Promise<T> {
  return write().catch((error) => {
    throw isMissing(error)
      ? new ApiError(
          'ReferenceNotFound',
          'The given conversation, user or parent workflow has just been deleted',
        )
      : error
  })
}

type Named = Pick<
  NewWorkflow,
  'parentWorkflowId' | 'conversationId' | 'userId' | 'eventId'
> & {
  status?: WorkflowStatus | undefined
}

export async function checkNamed(
  db: Db,
  { botId, viewer }: WorkflowCaller,
  given: Named,
): Promise<void> {
  const { parentWorkflowId, eventId } = given
  await checkReferences(db, botId, viewer, given)
  if (parentWorkflowId !== undefined)
    await checkWorkflow(db, botId, parentWorkflowId, viewer)
  if (eventId === undefined) return
  const event = await db
    .selectFrom('event')
    .select('id')
    .where('bot_id', '=', botId)
    .where('id', '=', eventId)
    .executeTakeFirst()
  if (!event) throw new ApiError('ReferenceNotFound', `Event "${eventId}" was not found`)
}

/** Throws ReferenceNotFound. */
export async function checkWorkflow(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer = null,
): Promise<void> {
  const found = await db
    .selectFrom('workflow')
    .select('id')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where(conversationStore.visibleTo(viewer))
    .executeTakeFirst()
  if (!found) throw new ApiError('ReferenceNotFound', `Workflow "${id}" was not found`)
}

/**
 * Any tag name is allowed except those with the prefix of a plugin, since workflows have no
 * definitions.
 */
export function changeOfWorkflowTags(
  given: TagInput | undefined,
  viewer: Viewer,
  stored: Tags = {},
): TagChange {
  const change = tagRules.toChange(given, viewer, stored)
  const wrong = Object.keys(change.set).find((key) => key.includes('#'))
  if (wrong !== undefined)
    throw new ApiError('InvalidPayload', `The tag name "${wrong}" must not contain "#"`)
  return change
}

interface Discrimination {
  tags?: string[] | undefined
  statusGroup?: 'active' | 'finished' | undefined
}

/**
 * Finds a workflow by its name together with its tags, its status group, or both; without either,
 * every call creates one. Sets the given tags on the workflow found.
 */
export async function getOrCreateWorkflow(
  deps: WorkflowDeps,
  caller: WorkflowCaller,
  given: NewWorkflow,
  by: Discrimination,
): Promise<{ row: WorkflowRow; created: boolean }> {
  const { db } = deps
  const { botId, viewer } = caller
  const match = tagRules.listDiscriminating(given.tags ?? {}, by.tags, viewer)
  const { set } = changeOfWorkflowTags(given.tags, viewer)
  await checkNamed(db, caller, given)
  const create = () => insertWorkflow(deps, caller, given, set)
  if (!match && !by.statusGroup) return { row: await create(), created: true }
  const wanted = { name: given.name, tags: match ?? {}, statusGroup: by.statusGroup }
  return getOrCreate(
    db,
    [
      botId,
      'workflow',
      viewer,
      given.name,
      Object.entries(wanted.tags).sort(),
      by.statusGroup ?? '',
    ],
    {
      find: (db) => findNamed(db, botId, viewer, wanted),
      update: (row) => setTags(db, row, viewer, given.tags),
      create,
    },
  )
}

/** Returns the newest match, since several workflows may have run with the same name and tags. */
async function findNamed(
  db: Db,
  botId: string,
  viewer: Viewer,
  wanted: { name: string; tags: Tags; statusGroup: Discrimination['statusGroup'] },
) {
  const { name, tags, statusGroup } = wanted
  const group = statusGroup
    ? sql`status = any(${statusGroup === 'active' ? active : finished})`
    : sql`true`
  const tagged = Object.keys(tags).length > 0
  // With tags, the candidates come from the index on tags, regardless of the order of the result.
  const { rows } = await sql<WorkflowRow>`
    with candidate as ${tagged ? sql`materialized` : sql`not materialized`} (
      select * from workflow where bot_id = ${botId} and name = ${name}
        and ${conversationStore.visibleTo(viewer)} and ${group}
        and ${tagged ? hasTags(tags) : sql`true`}
    )
    select * from candidate order by id desc limit 1`.execute(db)
  return rows[0]
}

async function setTags(
  db: Db,
  row: WorkflowRow,
  viewer: Viewer,
  given: TagInput | undefined,
): Promise<WorkflowRow> {
  const change = changeOfWorkflowTags(given, viewer, row.tags)
  if (tagRules.changesNothing(change)) return row
  const updated = await db
    .updateTable('workflow')
    .set({
      tags: mergedTags('tags', change),
      updated_at: sql`greatest(now(), updated_at)`,
    })
    .where('bot_id', '=', row.bot_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirst()
  if (!updated) throw noWorkflow(row.id)
  return updated
}
