// Owns the tables workspace_arrival and arrival_blob: workspaces that arrive from another
// installation. Each step may be repeated: the row records the step in the same transaction.
// Until the workspace is live, its bots rest and its requests are rejected (relocations.ts).
import type { Readable } from 'node:stream'
import { ApiError } from '@botstead/contract'
import type pg from 'pg'
import { arrivingAccounts } from '../../../core/accounts/index.ts'
import { type Database, schemaMigrations, statement } from '../../../core/db/index.ts'
import { ArrivingBlobs, type Blobs } from '../../../core/files/index.ts'
import type { Secrets } from '../../../core/sealing/index.ts'
import type { Tables } from '../../../core/table-rules/index.ts'
import { deleteWorkspaceRows, takeChanges } from '../changes.ts'
import { ArchiveError } from '../format/archive-error.ts'
import { type ArchiveReader, readArchive } from '../format/container.ts'
import {
  checkChangesHeading,
  checkWorkspaceHeading,
  type Need,
} from '../format/headings.ts'
import { type PassphraseLock, unlockWith } from '../format/passphrase.ts'
import { openSession } from '../format/rows.ts'
import type { ValueOpener } from '../format/sealed-values.ts'
import {
  checkPackages,
  type ImportTransaction,
  invalidateCaches,
  takeParts,
} from '../import.ts'
import { announceMoves, wakeBotsStatement } from './move-rows.ts'

interface ArrivalDeps {
  database: Database
  blobs: Pick<Blobs, 'write'>
  secrets: Secrets
  tableRules: Tables
  auditKey: Buffer
}

export interface ArrivalStatus {
  state: 'arriving' | 'live'
  /** The number of the last applied transfer; -1 before the copy. */
  pass: number
}

/** A workspace and its move, as the source names them. */
export interface Arrival {
  workspaceId: string
  moveId: string
}

const conflict = (message: string) => new ApiError('RelationConflict', message)

const findArrivalStatement = statement<{ workspaceId: string; moveId: string }>(
  'find-arrival',
  'select state, pass from workspace_arrival where workspace_id = :workspaceId and move_id = :moveId',
)

/** Throws ResourceNotFound if this move has not begun here. */
export async function findArrival(
  { database }: Pick<ArrivalDeps, 'database'>,
  { workspaceId, moveId }: Arrival,
): Promise<ArrivalStatus> {
  const [row] = await database.run<ArrivalStatus & Record<string, unknown>>(
    ...findArrivalStatement({ workspaceId, moveId }),
  )
  if (!row)
    throw new ApiError(
      'ResourceNotFound',
      `Workspace "${workspaceId}" does not arrive with this move`,
    )
  return { state: row.state, pass: row.pass }
}

export interface ArrivalRequest {
  /** The newest migration of the source. */
  schema: number
  /** Its version of Botstead. */
  version: string
  needs: Need[]
}

const beginStatement = statement<{ workspaceId: string; moveId: string }>(
  'begin-arrival',
  `insert into workspace_arrival (workspace_id, move_id) select :workspaceId, :moveId
     where not exists (select from workspace where id = :workspaceId)
   on conflict (workspace_id) do update set move_id = excluded.move_id, state = 'arriving', pass = -1,
     created_at = now()
   where workspace_arrival.state = 'live'
   returning move_id`,
)

/** Begins an arrival. Throws RelationConflict if the workspace cannot arrive here. */
export async function beginArrival(
  deps: ArrivalDeps,
  arrival: Arrival,
  request: ArrivalRequest,
): Promise<ArrivalStatus> {
  const { database } = deps
  await checkSource(database, request)
  const { workspaceId, moveId } = arrival
  await database.run(...beginStatement({ workspaceId, moveId }))
  await announceMoves(database)
  return findArrival(deps, arrival).catch(() => {
    throw conflict(
      `The workspace ${workspaceId} exists at the target, or another move brings it: delete it there, ` +
        'end its forwarding, or cancel the other move',
    )
  })
}

/** Throws RelationConflict if a workspace of this source cannot arrive here. */
export async function checkSource(
  database: Database,
  { schema, version, needs }: ArrivalRequest,
): Promise<void> {
  const newest = (await schemaMigrations.read()).at(-1)!.number
  if (schema !== newest)
    throw conflict(
      `The source has Botstead ${version} with the schema ${schema}, the target has the schema ` +
        `${newest}: upgrade both to the same version`,
    )
  const session = await openSession(database)
  try {
    await checkPackages(session, needs)
  } catch (error) {
    throw error instanceof ArchiveError ? conflict(error.message) : error
  } finally {
    await session.end()
  }
}

/** Imports the copy. Does nothing if this move has brought it already. */
export function receiveCopy(
  deps: ArrivalDeps,
  arrival: Arrival,
  input: Readable,
  passphrase: string,
): Promise<void> {
  return receive(deps, arrival, input, 'botstead workspace', async (archive, target) => {
    const heading = checkWorkspaceHeading(archive.heading)
    checkWorkspace(heading.workspace, arrival)
    if (!heading.locked) throw new ArchiveError('The copy has no secrets')
    const from = await unlock(arrival, passphrase, heading.locked)
    const { pass } = await lockArrival(target.session, arrival)
    if (pass >= 0) throw new ArrivedAlready()
    await takeParts(archive, target, { heading, from, purpose: 'move' })
    await finishPass(target.session, arrival, 0)
  })
}

/** Applies changes with a number above that of the last applied ones. */
export function receiveChanges(
  deps: ArrivalDeps,
  arrival: Arrival,
  input: Readable,
  { pass, passphrase }: { pass: number; passphrase: string },
): Promise<void> {
  return receive(deps, arrival, input, 'botstead changes', async (archive, target) => {
    const heading = checkChangesHeading(archive.heading)
    checkWorkspace(heading.workspace, arrival)
    const from = await unlock(arrival, passphrase, heading.locked)
    const last = await lockArrival(target.session, arrival)
    if (last.state !== 'arriving' || last.pass < 0 || pass <= last.pass)
      throw new ArchiveError('The changes are out of date')
    await takeChanges(archive, target, { heading, from })
    await finishPass(target.session, arrival, pass)
  })
}

function checkWorkspace({ id }: { id: string }, { workspaceId }: Arrival) {
  if (id !== workspaceId) throw new ArchiveError('The archive is of another workspace')
}

/** The transfers of a move share one lock, and unlocking takes a third of a second. */
let unlocked: { of: string; opener: ValueOpener } | null = null

async function unlock(
  { workspaceId }: Arrival,
  passphrase: string,
  locked: PassphraseLock,
): Promise<ValueOpener> {
  const of = JSON.stringify([passphrase, locked])
  if (unlocked?.of !== of)
    unlocked = { of, opener: await unlockWith(workspaceId, passphrase, locked) }
  return unlocked.opener
}

class ArrivedAlready extends Error {}

type Work = (archive: ArchiveReader, target: ImportTransaction) => Promise<void>

/** Throws RelationConflict if the archive cannot be applied; then nothing has changed. */
async function receive(
  deps: ArrivalDeps,
  { workspaceId }: Arrival,
  input: Readable,
  format: 'botstead workspace' | 'botstead changes',
  work: Work,
): Promise<void> {
  const { database } = deps
  const session = await openSession(database)
  const outside = await openSession(database)
  const arriving = new ArrivingBlobs(outside)
  try {
    const archive = await readArchive(input, format, Number.POSITIVE_INFINITY)
    await session.query('begin')
    await work(archive, { ...deps, session, arriving })
    await session.query('commit')
    await invalidateCaches(session, workspaceId)
    await announceMoves(database)
  } catch (error) {
    await session.query('rollback').catch(() => {})
    await arriving.release().catch(() => {})
    if (error instanceof ArrivedAlready) return
    throw error instanceof ArchiveError ? conflict(error.message) : error
  } finally {
    await Promise.all([session.end(), outside.end()])
  }
}

async function lockArrival(
  session: pg.Client,
  { workspaceId, moveId }: Arrival,
): Promise<ArrivalStatus> {
  const { rows } = await session.query<ArrivalStatus>(
    'select state, pass from workspace_arrival where workspace_id = $1 and move_id = $2 for update',
    [workspaceId, moveId],
  )
  if (!rows[0]) throw new ArchiveError('The move has not begun here, or was cancelled')
  return rows[0]
}

/** In the transaction of the rows, so that no server works for a bot before the workspace is live. */
async function finishPass(session: pg.Client, { workspaceId }: Arrival, pass: number) {
  await session.query(
    `insert into arrival_blob (workspace_id, there, here) select $1, there, here from blob_here
       on conflict do nothing`,
    [workspaceId],
  )
  await session.query(
    `insert into resting_bot (bot_id, workspace_id) select id, workspace_id from bot where workspace_id = $1
       on conflict do nothing`,
    [workspaceId],
  )
  await session.query('update workspace_arrival set pass = $2 where workspace_id = $1', [
    workspaceId,
    pass,
  ])
}

const knownArrivalBlobsStatement = statement<{ workspaceId: string; blobs: string[] }>(
  'known-arrival-blobs',
  'select there from arrival_blob where workspace_id = :workspaceId and there = any(:blobs)',
)

/** Returns those of the blobs that have not arrived. */
export async function listMissingBlobs(
  { database }: Pick<ArrivalDeps, 'database'>,
  { workspaceId }: Arrival,
  blobs: string[],
): Promise<string[]> {
  const rows = await database.run<{ there: string }>(
    ...knownArrivalBlobsStatement({ workspaceId, blobs }),
  )
  const known = new Set(rows.map(({ there }) => there))
  return blobs.filter((name) => !known.has(name))
}

const activateArrivalStatement = statement<{
  workspaceId: string
  moveId: string
  pass: number
}>(
  'activate-arrival',
  `update workspace_arrival set state = 'live' where workspace_id = :workspaceId and move_id = :moveId
         and (pass = :pass or state = 'live') returning 1`,
)

const forgetBlobsStatement = statement<{ workspaceId: string }>(
  'forget-blobs',
  'delete from arrival_blob where workspace_id = :workspaceId',
)

/** Makes the workspace live, once all changes until `pass` are here. May be repeated. */
export async function activate(
  deps: ArrivalDeps,
  arrival: Arrival,
  pass: number,
): Promise<ArrivalStatus> {
  const { database } = deps
  const { workspaceId, moveId } = arrival
  await database.inTransaction(async (inside) => {
    const rows = await inside.run(
      ...activateArrivalStatement({ workspaceId, moveId, pass }),
    )
    if (rows.length === 0) throw conflict('The last changes have not arrived')
    await inside.run(...wakeBotsStatement({ workspaceId }))
    await inside.run(...forgetBlobsStatement({ workspaceId }))
  })
  await announceMoves(database)
  return findArrival(deps, arrival)
}

/** Deletes a workspace that has not become live. Throws RelationConflict if it has. */
export async function cancelArrival(deps: ArrivalDeps, arrival: Arrival): Promise<void> {
  const { workspaceId } = arrival
  const { database, tableRules } = deps
  const session = await openSession(database)
  try {
    await session.query('begin')
    const { state } = await lockArrival(session, arrival).catch(() => {
      throw new ApiError('ResourceNotFound', 'There is no such arrival')
    })
    if (state === 'live') throw conflict('The workspace lives at the target already')
    await arrivingAccounts.delete(session, workspaceId)
    await deleteWorkspaceRows(session, tableRules, workspaceId)
    await session.query('delete from workspace_arrival where workspace_id = $1', [
      workspaceId,
    ])
    await session.query('delete from resting_bot where workspace_id = $1', [workspaceId])
    await session.query('commit')
  } catch (error) {
    await session.query('rollback').catch(() => {})
    throw error
  } finally {
    await session.end()
  }
  await announceMoves(database)
}
