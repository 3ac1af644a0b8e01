// Dead letters: deliveries that failed in all attempts, or that a channel rejected. They stay,
// regardless of their age, until an operator redelivers or discards them or their bot is deleted.
// A delivery and its event change together, in one statement of parts of the queue and of events.
//
// A redelivered dead letter keeps its id and its event's id, and goes to the end of its lane,
// because later events have already been delivered. It gets a new number of the lane, like any
// delivery, so memory (queue/lanes/lane.ts) needs no special case.
import { ApiError, type DeadLetter } from '@botstead/contract'
import { type BoundStatement, type Database, statement } from '../../db/index.ts'
import { deliveryStatements, type Queue, queueStatements } from '../../queue/index.ts'
import { awaitEvents, dismissEvents, editMessages } from '../events/event-outcomes.ts'
import { writeWords } from '../search/filling.ts'
import { wordsOfMessage } from '../search/message-words.ts'

export interface RedeliveryDeps {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
}

type Placed = Parameters<typeof queueStatements.toEnqueued>[0] &
  WorkedRow & { [column: string]: unknown }

export interface DeadLetterFilter {
  kind?: DeadLetter['kind'] | undefined
  /** Type of the event or the message. */
  type?: string | undefined
  conversationId?: string | undefined
  /** Substring of the reason, case-insensitive. */
  reason?: string | undefined
  /** Limits of the time of death, or of the last attempt, inclusive. */
  after?: Date | undefined
  before?: Date | undefined
}

export interface DeadLetterRow {
  id: string
  lane: string
  number: string
  kind: DeadLetter['kind']
  subject_id: string
  type: string | null
  conversation_id: string | null
  attempts: number
  last_error: string
  created_at: Date
  dead_at: Date
  [column: string]: unknown
}

/** A position in the order of deaths; its time may be infinite. */
interface Position {
  deadAt: Date | string
  lane: string
  number: string
}

/** Returns the position in the list: time, lane, number. */
export const deadLetterPosition = (row: DeadLetterRow) => [
  row.dead_at.toISOString(),
  row.lane,
  row.number,
]

const columns = `d.id, d.lane, d.number, d.kind, d.subject_id, d.type, d.conversation_id,
  d.earlier_attempts + d.attempts as attempts,
  coalesce(d.last_error, '') as last_error, d.created_at, d.dead_at`

const conditions: Record<keyof DeadLetterFilter, string> = {
  kind: 'd.kind = :kind::text',
  type: 'd.type = :type::text',
  conversationId: 'd.conversation_id = :conversationId::text',
  reason: 'strpos(lower(d.last_error), lower(:reason::text)) > 0',
  after: 'd.dead_at >= :after::timestamptz',
  before: 'd.dead_at <= :before::timestamptz',
}
const filterNames = Object.keys(conditions) as (keyof DeadLetterFilter)[]

type FilteredStatement<Values> = (
  filter: DeadLetterFilter,
  values: Values & { botId: string },
) => BoundStatement

/**
 * Returns a function that binds a filter and other values to a statement. Each condition is
 * optional, so each combination is a prepared statement with its own name, made at its first use.
 * `write` receives the condition on `delivery d`.
 */
function filteredStatement<Values extends object>(
  name: string,
  write: (matches: string) => string,
): FilteredStatement<Values> {
  const made = new Map<string, (values: object) => BoundStatement>()
  const make = (given: (keyof DeadLetterFilter)[], key: string) => {
    const all = [
      'd.bot_id = :botId',
      'd.dead_at is not null',
      ...given.map((one) => conditions[one]),
    ]
    const bind = statement(`${name}-${key}`, write(all.join(' and ')))
    made.set(key, bind)
    return bind
  }
  // Declared at once, so that the list of all statements shows them: without and with all conditions.
  for (const given of [[], filterNames]) make(given, given.join('-'))
  return (filter, values) => {
    const given = filterNames.filter((one) => filter[one] !== undefined)
    const key = given.join('-')
    return (made.get(key) ?? make(given, key))({ ...filter, ...values })
  }
}

const listStatement = filteredStatement<Position & { limit: number }>(
  'list-dead-letters',
  (matches) => `select ${columns} from delivery d
    where ${matches}
      and (d.dead_at, d.lane, d.number) < (:deadAt::timestamptz, :lane::text, :number::bigint)
    order by d.dead_at desc, d.lane desc, d.number desc limit :limit`,
)

/** Returns a page, newest first. */
export function listDeadLetters(
  database: Database,
  botId: string,
  filter: DeadLetterFilter,
  { position, limit }: { position: string[] | null; limit: number },
) {
  const [deadAt, lane, number] = position ?? ['infinity', '', '0']
  return database.run<DeadLetterRow>(
    ...listStatement(filter, {
      botId,
      deadAt: deadAt!,
      lane: lane!,
      number: number!,
      limit,
    }),
  )
}

/** Counting stops here. */
const maxCounted = 100_000

const countStatement = filteredStatement(
  'count-dead-letters',
  (matches) => `select count(*)::int as count from (select from delivery d
    where ${matches} order by d.dead_at desc limit ${maxCounted}) counted`,
)

export async function countDeadLetters(
  database: Database,
  botId: string,
  filter: DeadLetterFilter,
): Promise<number> {
  const [row] = await database.run<{ count: number }>(
    ...countStatement(filter, { botId }),
  )
  return row!.count
}

const noDeadLetter = (id: string) =>
  new ApiError('ResourceNotFound', `Dead letter "${id}" was not found`)

const findDeadLetterStatement = statement<{ botId: string; id: string }>(
  'find-dead-letter',
  `select ${columns} from delivery d where d.bot_id = :botId and d.id = :id and d.dead_at is not null`,
)

/** Throws ResourceNotFound. */
export async function findDeadLetter(
  database: Database,
  botId: string,
  id: string,
): Promise<DeadLetterRow> {
  const [found] = await database.run<DeadLetterRow>(
    ...findDeadLetterStatement({ botId, id }),
  )
  if (!found) throw noDeadLetter(id)
  return found
}

/**
 * Expects a CTE `picked` with the locked rows of dead letters. `payload` is the new payload of their
 * events `v`.
 */
const revivePicked = (owner: string, payload = 'v.payload') => `
  due as (select bot_id, lane, id as delivery_id, kind, subject_id, number as ord, dead_at, trace
    from picked),
  ${deliveryStatements.revive(owner)},
  awaited as (${awaitEvents('picked', payload)}
  )
  select bot_id, lane, number, delivery_id as id, kind, subject_id, owner, trace, dead_at, ord as dead_number
    from placed order by dead_at, lane, ord`

const forgetPicked = `
  ${deliveryStatements.discard('picked')},
  ended as (select bot_id, subject_id as id from picked where kind = 'event'),
  dismissed as (${dismissEvents('ended')})
  select id, lane, dead_at, number as dead_number from picked order by dead_at, lane, number`

/** Locks one dead letter. A concurrent request waits here and then finds no dead letter. */
const pickOne = (by: 'id' | 'subject_id') => `
  with picked as (select d.* from delivery d where d.bot_id = :botId and d.${by} = :id
    and d.dead_at is not null for update),`

/** Throws ResourceNotFound. */
export async function redeliverDeadLetter(
  deps: RedeliveryDeps,
  botId: string,
  id: string,
): Promise<void> {
  if (!(await redeliver(deps, botId, 'id', id))) throw noDeadLetter(id)
}

/** Returns false when the event has no dead letter. */
export const redeliverByEvent = (deps: RedeliveryDeps, botId: string, eventId: string) =>
  redeliver(deps, botId, 'subject_id', eventId)

const redeliverBy = (by: 'id' | 'subject_id') =>
  statement<{ botId: string; id: string; owner: string | null }>(
    `redeliver-by-${by}`,
    pickOne(by) + revivePicked(':owner'),
  )
const redeliverStatements = {
  id: redeliverBy('id'),
  subject_id: redeliverBy('subject_id'),
}

/**
 * An event without a payload shows its message, so that is changed. CTEs see the event as it was.
 */
const redeliverEditedStatement = statement<{
  botId: string
  id: string
  owner: string | null
  payload: string
  words: string[]
}>(
  'redeliver-edited',
  `${pickOne('id')}
  edited as (${editMessages('picked')}
  ),
  worded as (select *, :words::text[] as words from edited),
  searchable as (${writeWords('worded')}),
  ${revivePicked(':owner', 'case when v.payload is not null then :payload::jsonb end')}`,
)

/** Replaces the payload of the event or message. Throws ResourceNotFound. */
export async function redeliverWithPayload(
  { database, deliveries }: RedeliveryDeps,
  botId: string,
  id: string,
  payload: Record<string, unknown>,
): Promise<void> {
  const values = {
    botId,
    id,
    owner: deliveries.owner,
    payload: JSON.stringify(payload),
    words: wordsOfMessage(botId, payload),
  }
  const rows = await database.run<Placed>(...redeliverEditedStatement(values))
  if (rows.length === 0) throw noDeadLetter(id)
  deliveries.dispatch(rows.map((row) => queueStatements.toEnqueued(row)))
}

async function redeliver(
  { database, deliveries }: RedeliveryDeps,
  botId: string,
  by: 'id' | 'subject_id',
  id: string,
): Promise<boolean> {
  const rows = await database.run<Placed>(
    ...redeliverStatements[by]({ botId, id, owner: deliveries.owner }),
  )
  deliveries.dispatch(rows.map((row) => queueStatements.toEnqueued(row)))
  return rows.length > 0
}

const discardStatement = statement<{ botId: string; id: string }>(
  'discard-dead-letter',
  pickOne('id') + forgetPicked,
)

/** Discards a dead letter; its event stays failed. Throws ResourceNotFound. */
export async function discardDeadLetter(
  database: Database,
  botId: string,
  id: string,
): Promise<void> {
  const discarded = await database.run(...discardStatement({ botId, id }))
  if (discarded.length === 0) throw noDeadLetter(id)
}

/** The columns of a row that `work` returns. */
interface WorkedRow {
  dead_at: Date
  lane: string
  dead_number: string
}

/** Rows per statement. Writes to the same lanes wait for the statement. */
const batch = 500

type BatchStatement = FilteredStatement<Position & { begunAt: Date; batch: number }>

/**
 * Works through the matching dead letters, oldest first. Skips rows that another process has
 * locked, and deliveries that die after the start. Expects that `work` uses the CTE `picked`.
 */
const batchStatement = (name: string, work: string): BatchStatement =>
  filteredStatement(
    name,
    (matches) => `with picked as (
      select d.* from delivery d where ${matches} and d.dead_at <= :begunAt::timestamptz
        and (d.dead_at, d.lane, d.number) > (:deadAt::timestamptz, :lane::text, :number::bigint)
      order by d.dead_at, d.lane, d.number limit :batch for update skip locked
    ),${work}`,
  )

interface Worked {
  count: number
  hasMore?: boolean
}

interface Work {
  bind: BatchStatement
  filter: DeadLetterFilter
  maxCount: number
  onBatch: (rows: Placed[]) => void
}

const deadUntilNowStatement = statement(
  'dead-until-now',
  'select now()::timestamptz(3) as at',
)

/** Runs the statement until it finds no more dead letters, or has worked on `maxCount`. */
async function forAll(
  database: Database,
  botId: string,
  { bind, filter, maxCount, onBatch }: Work,
): Promise<Worked> {
  const [begun] = await database.run<{ at: Date }>(...deadUntilNowStatement({}))
  let position: Position = { deadAt: '-infinity', lane: '', number: '0' }
  for (let count = 0; ; ) {
    const size = Math.min(batch, maxCount - count)
    const rows = await database.run<Placed>(
      ...bind(filter, { ...position, botId, begunAt: begun!.at, batch: size }),
    )
    onBatch(rows)
    count += rows.length
    const last = rows.at(-1)
    if (rows.length < size || !last) return { count }
    if (count === maxCount) return { count, hasMore: true }
    position = { deadAt: last.dead_at, lane: last.lane, number: last.dead_number }
  }
}

/** No owner: see redeliverDeadLetters. */
const redeliverAll = batchStatement('redeliver-all', revivePicked('null'))
const discardAll = batchStatement('discard-all', forgetPicked)

/**
 * Redelivers the dead letters of each lane in the order of their deaths. They form a backlog: their
 * lanes stay unowned until a sweep has capacity for them, so that new deliveries do not wait for
 * them.
 */
export const redeliverDeadLetters = (
  { database, deliveries }: RedeliveryDeps,
  botId: string,
  filter: DeadLetterFilter,
  maxCount = Number.POSITIVE_INFINITY,
): Promise<Worked> =>
  forAll(database, botId, {
    bind: redeliverAll,
    filter,
    maxCount,
    onBatch: (rows) =>
      deliveries.dispatch(rows.map((row) => queueStatements.toEnqueued(row))),
  })

export const discardDeadLetters = (
  database: Database,
  botId: string,
  filter: DeadLetterFilter,
  maxCount = Number.POSITIVE_INFINITY,
): Promise<Worked> =>
  forAll(database, botId, { bind: discardAll, filter, maxCount, onBatch: () => {} })
