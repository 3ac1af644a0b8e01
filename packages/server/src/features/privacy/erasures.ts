// Owns the table erasure: requests to erase a person's data, their progress and their receipts.
// Every server works on them: one batch is one transaction, which locks the row and stores the
// progress, so after a kill another server continues. Passes over all kinds repeat until one finds
// nothing; then the receipt is signed. A last pass follows, for rows that running deliveries wrote.
import {
  ApiError,
  type Erasure,
  type ErasureReceipt,
  type PersonalDataKind,
} from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import { type Database, type Db, type Schema, toJson } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'
import { lockUser, removeUser } from '../../core/messaging/index.ts'
import { isAwake } from '../../core/queue/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import type { Person, Tables } from '../../core/table-rules/index.ts'
import { listBackupsSince } from '../archive/index.ts'
import { type Batch, eraseBatch } from './batches.ts'
import { findOwnConversations, listPersonSteps } from './person-data.ts'
import {
  eraseRecordings,
  findRecordings,
  type RecordedCalls,
} from './person-recordings.ts'
import { signReceipt } from './receipts.ts'

type ErasureRow = Selectable<Schema['erasure']>

interface Deps {
  database: Database
  secrets: Pick<Secrets, 'derive'>
  recordings: RecordedCalls
  tableRules: Tables
  /** Ends the open streams of a deleted user. */
  onUserErased: (botId: string, userId: string) => void
  /** Called after each batch. */
  onProgress: (botId: string, userId: string) => void
}

/** Not in the future when it is rounded to a millisecond. */
const nextTurn = sql<Date>`now() - interval '1 millisecond'`
/** Longer than a delivery may run. */
const lastPassAfter = '15 minutes'
/** Batches per run, because a server that stops waits for the run. */
const maxBatches = 20
const nextRunMs = 20

interface NewErasure {
  workspaceId: string
  botId: string
  userId: string
  /** Account; null for the bot's key. */
  requestedBy: string | null
}

/**
 * Starts the erasure of a user; returns the one that is running, if there is one. `mayBeDeleted`:
 * the user need not exist. Throws ResourceNotFound.
 */
export async function createErasure(
  db: Db,
  { workspaceId, botId, userId, requestedBy }: NewErasure,
  { mayBeDeleted = false } = {},
): Promise<ErasureRow> {
  if (userId === botId)
    throw new ApiError('Forbidden', 'The user of the bot itself cannot be erased')
  const user = await findSubject(db, botId, userId)
  if (!user && !mayBeDeleted) throw noUser(userId)
  const { rows } = await sql<ErasureRow>`
    insert into erasure (id, workspace_id, bot_id, user_id, requested_by, shown_id, integration,
      user_created_at)
    values (${newId('erasure')}, ${workspaceId}, ${botId}, ${userId}, ${requestedBy},
      ${user?.fid ?? userId}, ${user?.integration ?? null}, ${user?.created_at ?? null})
    on conflict (bot_id, user_id) where ended_at is null
      do update set requested_by = erasure.requested_by
    returning *`.execute(db)
  return rows[0]!
}

const noUser = (id: string) =>
  new ApiError('ResourceNotFound', `User "${id}" was not found`)

const findSubject = (db: Db, botId: string, id: string) =>
  db
    .selectFrom('user')
    .select(['fid', 'integration', 'created_at'])
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Throws ResourceNotFound. */
export async function findPerson(
  db: Db,
  botId: string,
  userId: string,
): Promise<Person & { createdAt: Date }> {
  if (userId === botId)
    throw new ApiError('Forbidden', 'The user of the bot itself is not a person')
  const user = await findSubject(db, botId, userId)
  if (!user) throw noUser(userId)
  const conversations = await findOwnConversations(db, { botId, userId })
  const { fid, integration, created_at: createdAt } = user
  return {
    botId,
    userId,
    shownId: fid ?? userId,
    integration,
    conversations,
    createdAt,
    events: [],
    until: new Date(),
  }
}

/** Counts the rows that an erasure would delete now. */
export async function countPersonalData(
  { db, recordings, tableRules }: Pick<Deps, 'recordings' | 'tableRules'> & { db: Db },
  person: Person,
): Promise<ErasureRow['counts']> {
  const counts: ErasureRow['counts'] = {}
  addCount(counts, 'recordings', (await findRecordings(db, recordings, person)).length)
  for (const { kind, table, belongs } of listPersonSteps(tableRules)) {
    const { rows } = await sql<{ count: string }>`
      select count(*) as count from ${sql.table(table)} t where ${belongs(person)}`.execute(
      db,
    )
    addCount(counts, kind, Number(rows[0]!.count))
  }
  return counts
}

function addCount(counts: ErasureRow['counts'], kind: PersonalDataKind, count: number) {
  if (count > 0) counts[kind] = (counts[kind] ?? 0) + count
}

/** Throws ResourceNotFound. */
export async function findErasure(
  db: Db,
  botId: string,
  id: string,
): Promise<ErasureRow> {
  const query = db.selectFrom('erasure').selectAll().where('bot_id', '=', botId)
  const found = await query.where('id', '=', id).executeTakeFirst()
  if (!found) throw new ApiError('ResourceNotFound', `Erasure "${id}" was not found`)
  return found
}

/** Newest first. */
export function listErasures(
  db: Db,
  botId: string,
  { after, limit }: { after: { at: Date; id: string } | null; limit: number },
): Promise<ErasureRow[]> {
  let query = db.selectFrom('erasure').selectAll().where('bot_id', '=', botId)
  if (after)
    query = query.where(sql<boolean>`(created_at, id) < (${after.at}, ${after.id})`)
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

export const toErasure = (row: ErasureRow): Erasure => ({
  id: row.id,
  userId: row.user_id,
  state: row.ended_at ? 'done' : 'running',
  counts: row.counts,
  createdAt: row.created_at.toISOString(),
  ...(row.ended_at && { endedAt: row.ended_at.toISOString() }),
  ...(row.receipt && { receipt: row.receipt }),
})

/** Works on pending erasures. Resolves with the delay of the next run if more work is left. */
export async function runErasures(deps: Deps): Promise<number | undefined> {
  for (let n = 0; n < maxBatches; n++) if (!(await eraseSome(deps))) return undefined
  return nextRunMs
}

/** Erases one batch. Returns whether there was work. Those with the oldest batch take their turn. */
async function eraseSome(deps: Deps): Promise<boolean> {
  const erased = await deps.database.inTransaction(async (inside) => {
    const { rows } = await sql<ErasureRow>`
      select * from erasure where next_at <= now() and ${sql.raw(isAwake('erasure.bot_id'))}
      order by next_at limit 1 for update skip locked`.execute(inside.db)
    const [row] = rows
    return row ? { row, ...(await continueErasure(deps, inside, row)) } : null
  })
  if (!erased) return false
  const { bot_id: botId, user_id: userId } = erased.row
  if (erased.hasErasedUser) deps.onUserErased(botId, userId)
  deps.onProgress(botId, userId)
  return true
}

async function continueErasure(deps: Deps, inside: Database, row: ErasureRow) {
  if (row.step === 0) return startPass(deps, inside.db, row)
  const step = listPersonSteps(deps.tableRules)[row.step - 1]
  if (!step) {
    await (row.has_erased ? repeatPasses(inside.db, row) : endErasure(deps, inside, row))
    return { hasErasedUser: false }
  }
  const person = toPerson(row)
  const batch =
    step.kind === 'users'
      ? await eraseUser(inside.db, person)
      : await eraseBatch(inside.db, person, step, row.position)
  await storeProgress(inside.db, row, step.kind, batch)
  return { hasErasedUser: step.kind === 'users' && batch.count > 0 }
}

/** Recordings come first, because their events are still in the database. */
async function startPass({ recordings }: Deps, db: Db, row: ErasureRow) {
  const conversations = await withNewConversations(db, row)
  const started = { ...row, conversations }
  const count = await eraseRecordings(db, recordings, toPerson(started))
  await storeProgress(db, started, 'recordings', { count, next: null })
  return { hasErasedUser: false }
}

const toPerson = (row: ErasureRow): Person => ({
  botId: row.bot_id,
  userId: row.user_id,
  shownId: row.shown_id,
  integration: row.integration,
  conversations: row.conversations,
  events: row.events,
  until: row.created_at,
})

async function withNewConversations(db: Db, row: ErasureRow): Promise<string[]> {
  const found = await findOwnConversations(db, { botId: row.bot_id, userId: row.user_id })
  return [...new Set([...row.conversations, ...found])]
}

/** The lock keeps new participations away. New conversations need another pass before. */
async function eraseUser(db: Db, person: Person): Promise<Batch> {
  await lockUser(db, person)
  const own = await findOwnConversations(db, person)
  // A conversation of this person that arrived during this pass is still complete.
  if (own.length > 0) return { count: 0, next: null, isIncomplete: true }
  return { count: await removeUser(db, person), next: null }
}

async function storeProgress(
  db: Db,
  row: ErasureRow,
  kind: PersonalDataKind,
  batch: Batch,
) {
  const counts = { ...row.counts }
  if (!row.ended_at)
    for (const [name, count] of Object.entries({ ...batch.more, [kind]: batch.count }))
      addCount(counts, name as PersonalDataKind, count)
  const events = [...row.events, ...(batch.events ?? [])]
  await db
    .updateTable('erasure')
    .set({
      counts: toJson(counts),
      conversations: row.conversations,
      events,
      step: batch.next === null ? row.step + 1 : row.step,
      position: batch.next ?? '',
      has_erased: row.has_erased || batch.count > 0 || batch.isIncomplete === true,
      next_at: nextTurn,
    })
    .where('id', '=', row.id)
    .execute()
}

const repeatPasses = (db: Db, { id }: ErasureRow) =>
  db
    .updateTable('erasure')
    .set({ step: 0, position: '', has_erased: false, next_at: nextTurn })
    .where('id', '=', id)
    .execute()

/** After the last pass, forgets the ids that it needed. */
async function endErasure(deps: Deps, { db, run }: Database, row: ErasureRow) {
  const { id, ended_at, user_id } = row
  const last = {
    conversations: [],
    events: [],
    shown_id: user_id,
    integration: null,
    next_at: null,
  }
  const first = {
    ended_at: sql<Date>`now()`,
    step: 0,
    next_at: sql<Date>`now() + ${lastPassAfter}::interval`,
  }
  const receipt = ended_at ? row.receipt : await createReceipt(deps, run, row)
  await db
    .updateTable('erasure')
    .set({ ...(ended_at ? last : first), receipt: receipt && toJson(receipt) })
    .where('id', '=', id)
    .execute()
}

async function createReceipt(
  { secrets }: Deps,
  run: Database['run'],
  row: ErasureRow,
): Promise<ErasureReceipt> {
  const backups = await listBackupsSince({ run }, row.workspace_id, row.user_created_at)
  return signReceipt(secrets, {
    format: 'botstead erasure receipt',
    id: row.id,
    workspaceId: row.workspace_id,
    botId: row.bot_id,
    userId: row.user_id,
    requestedBy: row.requested_by,
    requestedAt: row.created_at.toISOString(),
    erasedAt: new Date().toISOString(),
    counts: row.counts,
    backups: backups.map(toBackup),
  })
}

export const toBackup = (row: { file_name: string; created_at: Date }) => ({
  fileName: row.file_name,
  createdAt: row.created_at.toISOString(),
})
