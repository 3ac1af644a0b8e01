// Owns the table workflow and has its operations. For continuation after events see loop.ts, for
// time-outs clock.ts. An integration sees only the workflows that it created.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { type Database, type Db, isMissing, statement } from '../db/index.ts'
import { maxReasonLength, newId, storableText } from '../lib/index.ts'
import {
  changeOfTags,
  changesNothing,
  checkReferences,
  conversationVisibleTo,
  deleteEventsOfWorkflows,
  discriminating,
  type FoundOrCreated,
  getOrCreate,
  hasTags,
  mergedTags,
  storedTags,
  type TagChange,
  type TagInput,
  type Tags,
  type Viewer,
} from '../messaging/index.ts'
import type { Queue } from '../queue/index.ts'
import type { WorkflowRow } from './serializers.ts'
import {
  active,
  activeInSql,
  finished,
  finishedInSql,
  originsOf,
  type WorkflowStatus,
} from './statuses.ts'
import {
  dispatchUpdates,
  enqueueUpdates,
  newUpdateIds,
  parentUpdate,
  type QueuedUpdates,
  type UpdateIds,
} from './update-events.ts'

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

type Json = Record<string, unknown>

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

interface WorkflowChange {
  status?: Exclude<WorkflowStatus, 'pending' | 'timedout'> | undefined
  output?: Json | undefined
  timeoutAt?: Date | undefined
  failureReason?: string | undefined
  tags?: TagInput | undefined
  userId?: string | undefined
  /** Id of the event during which the caller works on the workflow. */
  eventId?: string | undefined
}

const noWorkflow = (id: string) =>
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
    .where(conversationVisibleTo(viewer))
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
  const [made] = await checkingReferences(() => database.run<WorkflowRow & QueuedUpdates>(...bound))
  dispatchUpdates(deliveries, made!.placed)
  return made!
}

/** Maps a violated foreign key: a reference that was checked may be deleted before the write. */
async function checkingReferences<T>(write: () => Promise<T>): Promise<T> {
  return write().catch((error) => {
    throw isMissing(error)
      ? new ApiError(
          'ReferenceNotFound',
          'The given conversation, user or parent workflow has just been deleted',
        )
      : error
  })
}

type Named = Pick<NewWorkflow, 'parentWorkflowId' | 'conversationId' | 'userId' | 'eventId'> & {
  status?: WorkflowStatus | undefined
}

async function checkNamed(db: Db, { botId, viewer }: WorkflowCaller, given: Named): Promise<void> {
  const { parentWorkflowId, eventId } = given
  await checkReferences(db, botId, viewer, given)
  if (parentWorkflowId !== undefined) await checkWorkflow(db, botId, parentWorkflowId, viewer)
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
    .where(conversationVisibleTo(viewer))
    .executeTakeFirst()
  if (!found) throw new ApiError('ReferenceNotFound', `Workflow "${id}" was not found`)
}

/**
 * Any tag name is allowed except those with the prefix of a plugin, since workflows have no
 * definitions.
 */
function changeOfWorkflowTags(
  given: TagInput | undefined,
  viewer: Viewer,
  stored: Tags = {},
): TagChange {
  const change = changeOfTags(given, viewer, stored)
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
): Promise<FoundOrCreated<WorkflowRow>> {
  const { db } = deps
  const { botId, viewer } = caller
  const match = discriminating(given.tags ?? {}, by.tags, viewer)
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
        and ${conversationVisibleTo(viewer)} and ${group}
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
  if (changesNothing(change)) return row
  const updated = await db
    .updateTable('workflow')
    .set({ tags: mergedTags('tags', change), updated_at: sql`greatest(now(), updated_at)` })
    .where('bot_id', '=', row.bot_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirst()
  if (!updated) throw noWorkflow(row.id)
  return updated
}

// A caller that sets in_progress works on the workflow during an event: the current step, or the
// given event. When that event is over, loop.ts continues the workflow. With neither, this
// statement continues it.
const updateStatement = statement<
  UpdateIds & {
    botId: string
    id: string
    origins: WorkflowStatus[]
    status: WorkflowStatus | null
    output: string | null
    timeoutAt: Date | null
    failureReason: string | null
    setTags: string
    removedTags: string[]
    userId: string | null
    handledIn: string | null
    cause: string | null
    owner: string | null
  }
>(
  'update-workflow',
  `
  with old as (
    select bot_id, id, status as was, coalesce(:status::text, status) as next from workflow
    where bot_id = :botId and id = :id and status = any(:origins::text[])
    for no key update
  ),
  changed as (
    update workflow w set
      status = old.next,
      output = case when :status = 'cancelled' then '{}' else coalesce(:output::jsonb, w.output) end,
      timeout_at = coalesce(:timeoutAt::timestamptz, w.timeout_at),
      failure_reason = coalesce(:failureReason::text, w.failure_reason),
      tags = (w.tags || :setTags::jsonb) - :removedTags::text[],
      user_id = coalesce(:userId::text, w.user_id),
      completed_at = case when :status in ('completed', 'failed', 'cancelled')
        then coalesce(w.completed_at, now()) else w.completed_at end,
      updated_at = greatest(now(), w.updated_at),
      retriggers = case when old.next = 'pending' then w.retriggers else 0 end,
      handled_in = case when old.next = 'in_progress'
        and w.step_event_id is null then coalesce(:handledIn::text, w.handled_in) end,
      step_event_id = case
        when old.next in ${finishedInSql} then null
        when old.next = 'in_progress' and w.step_event_id is null
          and coalesce(:handledIn::text, w.handled_in) is null then :eventId::text
        else w.step_event_id
      end
    from old where w.bot_id = old.bot_id and w.id = old.id
    returning w.*, old.was
  ),
  ended as (select * from changed where was in ${activeInSql} and status in ${finishedInSql}),
  news as (
    select bot_id, id as workflow_id, '{"type": "workflow_continued"}'::jsonb as payload,
      :eventId::text as event_id, :deliveryId::text as delivery_id, 1 as ord
    from changed where step_event_id = :eventId
    union all
    ${parentUpdate('ended', 'child_workflow_finished', ':parentEventId::text', ':parentDeliveryId::text')}
  ),
  ${enqueueUpdates(':cause', ':owner')}
  select changed.*, queued.placed from changed cross join queued`,
)

/**
 * Throws ResourceNotFound, ReferenceNotFound, and InvalidPayload for a transition that a finished
 * workflow does not allow.
 */
export async function updateWorkflow(
  deps: WorkflowDeps,
  { botId, viewer, cause }: WorkflowCaller,
  id: string,
  change: WorkflowChange,
): Promise<WorkflowRow> {
  const { database, db, deliveries } = deps
  const { status, output, timeoutAt = null, failureReason, userId, eventId } = change
  const { tags } = await findWorkflow(db, botId, id, viewer)
  const { set, removed } = changeOfWorkflowTags(change.tags, viewer, tags)
  await checkNamed(db, { botId, viewer, cause }, { userId, eventId })
  const reason = failureReason === undefined ? null : storableText(failureReason, maxReasonLength)
  const bound = updateStatement({
    ...newUpdateIds(),
    botId,
    id,
    origins: originsOf(status),
    status: status ?? null,
    output: output ? JSON.stringify(output) : null,
    timeoutAt,
    failureReason: reason,
    setTags: JSON.stringify(set),
    removedTags: removed,
    userId: userId ?? null,
    handledIn: eventId ?? null,
    cause,
    owner: deliveries.owner,
  })
  const [updated] = await checkingReferences(() =>
    database.run<WorkflowRow & QueuedUpdates>(...bound),
  )
  if (!updated) throw await transitionError(db, botId, id, status)
  dispatchUpdates(deliveries, updated.placed)
  return updated
}

async function transitionError(
  db: Db,
  botId: string,
  id: string,
  status: WorkflowStatus | undefined,
): Promise<ApiError> {
  const { status: now } = await findWorkflow(db, botId, id)
  return new ApiError('InvalidPayload', `The workflow is ${now}: it cannot become ${status}`)
}

const deleteStatement = statement<{
  botId: string
  id: string
  viewer: Viewer
  parentEventId: string
  parentDeliveryId: string
  cause: string | null
  owner: string | null
}>(
  'delete-workflow',
  `
  with removed as (delete from workflow where bot_id = :botId and id = :id
      and (:viewer::text is null or integration = :viewer)
    returning *),
  forgotten as (${deleteEventsOfWorkflows('removed')}),
  news (bot_id, workflow_id, payload, event_id, delivery_id, ord)
    as (${parentUpdate(
      'removed',
      'child_workflow_deleted',
      ':parentEventId::text',
      ':parentDeliveryId::text',
    )}),
  ${enqueueUpdates(':cause', ':owner')}
  select removed.id, queued.placed from removed cross join queued`,
)

/**
 * Deletes a workflow with its events, so that pending ones are not delivered. Its children continue
 * without it. Throws ResourceNotFound.
 */
export async function deleteWorkflow(
  { database, deliveries }: WorkflowDeps,
  { botId, viewer, cause }: WorkflowCaller,
  id: string,
): Promise<void> {
  const [removed] = await database.run<QueuedUpdates & { id: string }>(
    ...deleteStatement({
      botId,
      id,
      viewer,
      parentEventId: newId('event'),
      parentDeliveryId: newId('delivery'),
      cause,
      owner: deliveries.owner,
    }),
  )
  if (!removed) throw noWorkflow(id)
  dispatchUpdates(deliveries, removed.placed)
}

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
  const { tags, conversationId, userId, parentWorkflowId, statuses, name, position, limit } =
    listing
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
    .where(conversationVisibleTo(viewer))
  for (const [column, value] of Object.entries(wanted))
    if (value !== undefined) query = query.where(column as keyof typeof wanted, '=', value)
  if (statuses?.length) query = query.where('status', 'in', [...new Set(statuses)])
  if (tags) query = query.where(hasTags(storedTags(tags, viewer)))
  if (position !== null) query = query.where('id', '<', position)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
