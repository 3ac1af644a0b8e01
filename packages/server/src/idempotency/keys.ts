// Owns the table idempotency_key: what was answered first to a request that carried a key, for a day. The key itself is not kept, only a hash
// by which it is found; answers are sealed. Time is the database's, since several servers share it.
import { sql } from 'kysely'
import type { Database, Db } from '../db/open.ts'
import type { Secrets } from '../lib/secrets.ts'
import { isAliveWorker } from '../queue/workers.ts'

/** A request with a key. */
export interface Asked {
  /** Within which it happens; '' outside of any bot. */
  botId: string
  /** SHA-256 of whose key it is, for which operation, and the key. */
  id: Buffer
  /** SHA-256 of what is asked. */
  request: Buffer
  /** Of the attempt of hosted code that asks: queue/fencing.ts. */
  fence?: string | null
}

export interface Answer {
  status: number
  /** JSON; in pieces, where it is large and has just been made. */
  body: string | Buffer[]
}

/** What is known of a key: to what it belongs, and the answer once there is one. */
export interface Known {
  request: Buffer
  answer: Answer | null
}

interface Row {
  request: Buffer | null
  status: number | null
  answer: Buffer | null
}

const isOld = `k.created_at <= now() - interval '24 hours'`

const lookStatement = `
  select pg_try_advisory_xact_lock($3::bigint) as free, k.request, k.status, k.answer
  from (select) here left join idempotency_key k on k.bot_id = $1 and k.id = $2 and not ${isOld}`

/** Inside the transaction that is to write the answer: whether nobody else is at it, and what is known. Who is at it holds the key until the end. */
export async function lookUpKey(
  inside: Database,
  secrets: Secrets,
  { botId, id }: Asked,
): Promise<{ free: boolean; known: Known | null }> {
  const [row] = await inside.run<Row & { free: boolean }>('look-up-key', lookStatement, [
    botId,
    id,
    id.readBigInt64BE().toString(),
  ])
  return { free: row!.free, known: await knownOf(secrets, id, row!) }
}

const keepStatement = `
  insert into idempotency_key as k (bot_id, id, request, status, answer) values ($1, $2, $3, $4, $5)
  on conflict (bot_id, id) do update set
    request = excluded.request, owner = null, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
  where ${isOld}
  returning 1 as kept`

/** False when another process was quicker: then nothing of this must remain. */
export async function keepAnswer(
  inside: Database,
  secrets: Secrets,
  { botId, id, request }: Asked,
  { status, body }: Answer,
): Promise<boolean> {
  const kept = await inside.run('keep-answer', keepStatement, [
    botId,
    id,
    request,
    status,
    await secrets.seal(null, body, placeOf(id)),
  ])
  return kept.length > 0
}

const claimStatement = `
  with claimed as (
    insert into idempotency_key as k (bot_id, id, request, owner) values ($1, $2, $3, $4)
    on conflict (bot_id, id) do update set
      request = excluded.request, owner = excluded.owner, status = null, answer = null, created_at = excluded.created_at
    where ${isOld} or (k.owner is not null and k.request = excluded.request and (k.owner = excluded.owner or not ${isAliveWorker('k.owner')}))
    returning true as ours
  )
  select ours, null::bytea as request, null::smallint as status, null::bytea as answer from claimed
  union all
  select false, k.request, k.status, k.answer from idempotency_key k where k.bot_id = $1 and k.id = $2 and not exists (select from claimed)`

/** Makes the key this worker's: when it is new, old, or that of a worker who died over it. Neither ours nor known: ask again. */
export async function claimKey(
  database: Database,
  secrets: Secrets,
  { botId, id, request }: Asked,
  owner: string,
) {
  const [row] = await database.run<Row & { ours: boolean }>('claim-key', claimStatement, [
    botId,
    id,
    request,
    owner,
  ])
  return { ours: row?.ours ?? false, known: row && !row.ours ? await knownOf(secrets, id, row) : null }
}

export async function settleKey(
  database: Database,
  secrets: Secrets,
  { botId, id }: Asked,
  owner: string,
  { status, body }: Answer,
): Promise<void> {
  await database.run(
    'settle-key',
    'update idempotency_key set owner = null, status = $4, answer = $5 where bot_id = $1 and id = $2 and owner = $3',
    [...[botId, id, owner, status], await secrets.seal(null, body, placeOf(id))],
  )
}

export async function giveUpKey(database: Database, { botId, id }: Asked, owner: string): Promise<void> {
  await database.run(
    'give-up-key',
    'delete from idempotency_key where bot_id = $1 and id = $2 and owner = $3',
    [botId, id, owner],
  )
}

async function knownOf(
  secrets: Secrets,
  id: Buffer,
  { request, status, answer }: Row,
): Promise<Known | null> {
  if (!request) return null
  return {
    request,
    answer: status === null || !answer ? null : { status, body: await secrets.open(answer, placeOf(id)) },
  }
}

/** So that an answer that somebody moved to another row does not open. */
const placeOf = (id: Buffer) => `idempotency_key ${id.toString('hex')}`

const sweepLimit = 5_000

/** Takes away what is older than a day. */
export async function removeOldKeys(db: Db): Promise<void> {
  for (let removed = sweepLimit; removed === sweepLimit; ) {
    const { rows } = await sql`
      delete from idempotency_key where ctid = any (array(
        select k.ctid from idempotency_key k where ${sql.raw(isOld)} order by k.created_at limit ${sweepLimit} for update skip locked
      )) returning 1`.execute(db)
    removed = rows.length
  }
}

/** What was answered within a bot that is being deleted. */
export async function purgeKeys(db: Db, botId: string): Promise<void> {
  await db.deleteFrom('idempotency_key').where('bot_id', '=', botId).execute()
}
