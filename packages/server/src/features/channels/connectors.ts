// Owns the table connector: connections to providers, such as long polling. Invariant: the worker of a row
// holds the lease (core/queue/workers.ts), and what arrives is committed only while the row names that worker
// and the generation of its configuration, so two servers never receive for the same installation.
import { createHash } from 'node:crypto'
import { maxReasonLength, storableText } from '@botstead/lib'
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../core/db/index.ts'
import { workers } from '../../core/queue/index.ts'

export type ConnectorRow = Selectable<Schema['connector']>

export interface ConnectorKey {
  botId: string
  alias: string
}

/** Names the row as this worker claimed it. */
export interface Claim extends ConnectorKey {
  generation: number
  worker: string
}

/** Another server has the connection, or its configuration has changed, or it is gone. */
export class ConnectorLost extends Error {}

/** Of an account at a provider, which may be a token. */
export const toDigest = (account: string) =>
  createHash('sha256').update(account).digest('base64url')

/** Begins the connection, or begins it again with another configuration. */
export async function addConnector(
  db: Db,
  { botId, alias }: ConnectorKey,
  account: string,
): Promise<void> {
  await sql`
    insert into connector as c (bot_id, alias, is_active, account)
    values (${botId}, ${alias}, true, ${toDigest(account)})
    on conflict (bot_id, alias) do update set is_active = true, account = excluded.account,
      cursor = case when c.account = excluded.account then c.cursor end,
      generation = c.generation + 1, state = 'connecting', reason = null, changed_at = now()
  `.execute(db)
}

/** The position stays, for the case that the installation is enabled again. */
export async function endConnector(
  db: Db,
  { botId, alias }: ConnectorKey,
): Promise<void> {
  await db
    .updateTable('connector')
    .set({ is_active: false, generation: sql`generation + 1` })
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .execute()
}

/**
 * Claims connections that no living worker has, and returns all of this worker. A row with another generation
 * than before is to begin again.
 */
export async function holdConnectors(
  db: Db,
  workerId: string,
  limit: number,
): Promise<ConnectorRow[]> {
  const { rows } = await sql<ConnectorRow>`
    with claimed as (
      update connector c set worker = ${workerId} from (
        select bot_id, alias from connector
        where is_active and worker is distinct from ${workerId} and ${workers.isFree('worker', workerId)}
        limit ${limit} for update skip locked
      ) free
      where c.bot_id = free.bot_id and c.alias = free.alias
      returning c.*
    )
    select * from claimed
    union all select * from connector where worker = ${workerId} and is_active`.execute(
    db,
  )
  return rows
}

/** Gives up all connections of this worker, so that another server takes them at once. */
export const releaseConnectors = (db: Db, workerId: string) =>
  db
    .updateTable('connector')
    .set({ worker: null })
    .where('worker', '=', workerId)
    .execute()

/**
 * Returns where the connection continues. Waits for a transaction that saves the position and lost its
 * connection, since it may still commit. Throws ConnectorLost.
 */
export async function findCursor(
  db: Db,
  { botId, alias, generation, worker }: Claim,
): Promise<string | null> {
  const { rows } = await sql<{ cursor: string | null }>`
    select cursor from connector where bot_id = ${botId} and alias = ${alias}
      and generation = ${generation} and worker = ${worker} and is_active for share`.execute(
    db,
  )
  if (!rows[0]) throw new ConnectorLost()
  return rows[0].cursor
}

/** Throws ConnectorLost. */
export async function saveCursor(db: Db, claim: Claim, cursor: string): Promise<void> {
  const { numUpdatedRows } = await claimed(db, claim)
    .set({ cursor })
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ConnectorLost()
}

/** Throws ConnectorLost. */
export async function saveState(
  db: Db,
  claim: Claim,
  state: ConnectorRow['state'],
  reason: string | null = null,
): Promise<void> {
  const { numUpdatedRows } = await claimed(db, claim)
    .set({
      state,
      reason: reason && storableText(reason, maxReasonLength),
      // Since when it has the state.
      changed_at: sql`case when state = ${state} then changed_at else now() end`,
    })
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ConnectorLost()
}

const claimed = (db: Db, { botId, alias, generation, worker }: Claim) =>
  db
    .updateTable('connector')
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .where('generation', '=', generation)
    .where('worker', '=', worker)
    .where('is_active', '=', true)
