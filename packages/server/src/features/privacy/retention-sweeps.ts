// Owns the table retention_sweep: deletes old data of bots by their rules and the limits of the
// installation (`retention.ts`). One batch is one transaction, which locks the bot's row and stores
// the position, so servers share the work and continue after a kill.
import {
  type RetentionDays,
  type RetentionKind,
  retentionKinds,
} from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Database, Db, Schema } from '../../core/db/index.ts'
import { isAwake } from '../../core/queue/index.ts'
import {
  type Age,
  batchSize,
  deleteSome,
  type Tables,
} from '../../core/table-rules/index.ts'
import { toEffectiveDays } from './retention.ts'
import { listRetentionSteps, type RetentionStep, toCutoff } from './retention-steps.ts'

type SweepRow = Selectable<Schema['retention_sweep']>

interface Deps {
  database: Database
  limits: RetentionDays
  tableRules: Tables
  /** Ends the open streams of a deleted user. */
  onUserDeleted: (botId: string, userId: string) => void
}

/** Time between two sweeps of a bot. */
const paceOfSweeps = '1 hour'
/** A sweep that failed continues after this time, so that others take their turn. */
const retryAfter = '10 minutes'
/** Batches per run, because a server that stops waits for the run. */
const maxBatches = 20
const nextRunMs = 50

/** Other tasks apply the installation's limits of these kinds, to all bots at once. */
const ownTasks: RetentionKind[] = ['messages', 'events', 'logs', 'traces', 'issues']

/** Returns the days of the kinds that a sweep of a bot with these rules deletes. */
const sweptDays = (rules: RetentionDays, limits: RetentionDays): RetentionDays =>
  Object.fromEntries(
    Object.entries(toEffectiveDays(rules, limits)).filter(
      ([kind]) =>
        rules[kind as RetentionKind] !== undefined ||
        !ownTasks.includes(kind as RetentionKind),
    ),
  )

/** Works on pending sweeps. Resolves with the delay of the next run if more work is left. */
export async function runSweeps(deps: Deps): Promise<number | undefined> {
  for (let n = 0; n < maxBatches; n++) if (!(await sweepSome(deps))) return undefined
  return nextRunMs
}

/** Adds bots that have no sweep, if the installation has limits for all bots. */
export async function addSweeps(db: Db, limits: RetentionDays): Promise<void> {
  if (!retentionKinds.some((kind) => limits[kind] && !ownTasks.includes(kind))) return
  await sql`
    insert into retention_sweep (bot_id) select b.id from bot b
      where not exists (select from retention_sweep s where s.bot_id = b.id)
      on conflict do nothing`.execute(db)
}

/** Deletes one batch. Returns whether there was work. */
async function sweepSome({
  database,
  limits,
  tableRules,
  onUserDeleted,
}: Deps): Promise<boolean> {
  let botId = ''
  const swept = database.inTransaction(async ({ db }) => {
    const { rows } = await sql<SweepRow & { retention: RetentionDays | null }>`
      select s.*, b.retention from retention_sweep s join bot b on b.id = s.bot_id
      where s.next_at <= now() and ${sql.raw(isAwake('s.bot_id'))}
      order by s.next_at limit 1 for update of s skip locked`.execute(db)
    const [row] = rows
    if (!row) return null
    botId = row.bot_id
    const steps = listRetentionSteps(tableRules)
    return continueSweep(db, row, steps, sweptDays(row.retention ?? {}, limits))
  })
  const users = await swept.catch(async (error) => {
    await postpone(database.db, botId)
    throw error
  })
  for (const user of users ?? []) onUserDeleted(botId, user)
  return users !== null
}

const postpone = (db: Db, botId: string) =>
  sql`update retention_sweep set next_at = now() + ${retryAfter}::interval
    where bot_id = ${botId}`.execute(db)

/** Returns the ids of deleted users. */
async function continueSweep(
  db: Db,
  row: SweepRow,
  steps: RetentionStep[],
  days: RetentionDays,
): Promise<string[]> {
  const step = steps[row.step]
  if (!steps.some(({ kind }) => days[kind] !== undefined)) {
    await sql`delete from retention_sweep where bot_id = ${row.bot_id}`.execute(db)
    return []
  }
  if (!step) {
    await store(db, row.bot_id, { step: 0, position: '', isDone: true })
    return []
  }
  const limit = days[step.kind]
  const age = limit && { botId: row.bot_id, at: toCutoff(limit) }
  const swept = age ? await sweepTable(db, step, age, row.position) : { next: null }
  await store(db, row.bot_id, {
    step: swept.next === null ? nextStep(steps, row.step, days) : row.step,
    position: swept.next ?? '',
  })
  return 'users' in swept ? swept.users : []
}

function nextStep(steps: RetentionStep[], step: number, days: RetentionDays): number {
  const next = steps.findIndex(({ kind }, at) => at > step && days[kind] !== undefined)
  return next === -1 ? steps.length : next
}

const store = (
  db: Db,
  botId: string,
  {
    step,
    position,
    isDone = false,
  }: { step: number; position: string; isDone?: boolean },
) =>
  sql`update retention_sweep set step = ${step}, position = ${position},
    next_at = now() + ${isDone ? paceOfSweeps : '-1 millisecond'}::interval
    where bot_id = ${botId}`.execute(db)

interface Swept {
  /** Position for the next batch; null if no further row is old. */
  next: string | null
  users: string[]
}

async function sweepTable(
  db: Db,
  step: RetentionStep,
  age: Age,
  position: string,
): Promise<Swept> {
  if (step.walk) return walk(db, { ...step, walk: step.walk }, age, position)
  const { old, table, order = sql``, remove } = step
  const selected = sql`${old(age)} ${order}`
  const count = remove
    ? (
        await remove(db, age.botId, {
          ids: [],
          where: sql`${selected} limit ${batchSize}`,
        })
      ).count
    : await deleteSome(db, table, selected)
  return { next: count < batchSize ? null : position, users: [] }
}

/** Deletes the free ones of the next old rows. */
async function walk(
  db: Db,
  {
    table,
    walk,
    old,
    isFree,
    size = batchSize,
    remove,
  }: RetentionStep & { walk: string },
  age: Age,
  position: string,
): Promise<Swept> {
  const [at, id] = position
    ? (JSON.parse(position) as [string, string])
    : ['-infinity', '']
  const time = sql.ref(`t.${walk}`)
  // The inner limit makes the planner expect few rows: it then checks each by an index.
  const { rows } = await sql<{ id: string; at: string; free: boolean }>`
    select t.id, ${time}::text as at, (${isFree?.(age) ?? sql`true`}) as free from (
      select * from ${sql.table(table)} t where ${old(age)} and ${time} >= ${at}::timestamptz
        and (${time}, t.id) > (${at}::timestamptz, ${id}) order by ${time}, t.id limit ${size}) t
    order by ${time}, t.id`.execute(db)
  const ids = rows.filter((row) => row.free).map((row) => row.id)
  // Read again under the lock: the row may have changed since.
  const where = sql`t.bot_id = ${age.botId} and t.id = any(${ids}::text[])
    and ${old(age)} and ${isFree?.(age) ?? sql`true`}`
  const { hasMore } = remove
    ? await remove(db, age.botId, { ids, where })
    : { hasMore: void (await deleteSome(db, table, where)) }
  const last = rows.at(-1)
  const users = table === 'user' ? ids : []
  if (hasMore) return { next: position, users }
  return { next: rows.length < size ? null : JSON.stringify([last!.at, last!.id]), users }
}
