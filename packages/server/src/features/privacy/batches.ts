// Deletes rows of a person in small batches, each in the transaction of its erasure.
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import {
  batchSize,
  deleteSome,
  type Person,
  type RemovedOfPerson,
} from '../../core/table-rules/index.ts'
import type { PersonStep } from './person-data.ts'

/** Rows, or conversations, that one step of a walk reads. */
const walkSize = 5_000

export interface Batch extends RemovedOfPerson {
  /** Position for the next batch; null if the holding has no further rows. */
  next: string | null
  /** Rows have arrived that this pass cannot delete. */
  isIncomplete?: true
}

type Remove = NonNullable<PersonStep['remove']>

/** Position after the rows that an index finds; a walk begins there. */
const walkStart = 'walk:'

/** `position` is that of the previous batch, or '' for the first one. */
export async function eraseBatch(
  db: Db,
  person: Person,
  step: PersonStep,
  position: string,
): Promise<Batch> {
  const remove = toRemove(step)
  if (step.walk && position.startsWith(walkStart))
    return walk(db, person, { ...step, walk: step.walk }, position)
  const belongs = step.walk
    ? sql<boolean>`t.bot_id = ${person.botId} and ${step.walk.byIndex(person)}`
    : step.belongs(person)
  const removed = await remove(db, person, belongs)
  if (removed.count === batchSize) return { ...removed, next: '' }
  return { ...removed, next: step.walk ? walkStart : null }
}

/** Deletes the rows of one stretch of the bot's rows, in the order of their key. */
async function walk(
  db: Db,
  person: Person,
  step: PersonStep & Required<Pick<PersonStep, 'walk'>>,
  position: string,
): Promise<Batch> {
  const { key, through, finds } = step.walk
  const after = position.slice(walkStart.length)
  const { rows } = await sql<{ last: string | null; read: number }>`
    select max(id) as last, count(*)::int as read from (
      select id from ${sql.table(through)} where bot_id = ${person.botId} and id > ${after}
        order by id limit ${walkSize}) stretch`.execute(db)
  const { last, read } = rows[0]!
  if (last === null) return { count: 0, next: null }
  const column = sql.ref(`t.${key}`)
  const removed = await toRemove(step)(
    db,
    person,
    sql`t.bot_id = ${person.botId} and ${column} > ${after} and ${column} <= ${last}
      and ${finds(person)}`,
  )
  if (removed.count === batchSize) return { ...removed, next: position }
  return { ...removed, next: read < walkSize ? null : walkStart + last }
}

const toRemove = ({ table, remove }: PersonStep): Remove =>
  remove ??
  (async (db, _person, belongs) => ({ count: await deleteSome(db, table, belongs) }))
