// Dead letters: deliveries that failed in all attempts. They stay, regardless of their age, until
// an operator redelivers or discards them or their bot is deleted. Writes rows of the queue and of
// events, because a delivery and its event change together.
//
// A redelivered dead letter keeps its id and its event's id, and goes to the end of its lane,
// because later events have already been delivered. It gets a new number of the lane, like any
// delivery, so memory (queue/lane.ts) needs no special case.
import { ApiError } from '@botstead/contract'
import type { Database } from '../../infra/db/open.ts'
import type { DeliveryKind } from '../../infra/queue/deliveries.ts'
import type { Queue } from '../../infra/queue/queue.ts'
import { enqueuedOf, placeDue } from '../../infra/queue/store.ts'

interface Deps {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
}

type Placed = Parameters<typeof enqueuedOf>[0] & Position & { [column: string]: unknown }

export interface DeadLetterFilter {
  kind?: DeliveryKind | undefined
  /** Type of the event or the message. */
  type?: string | undefined
  conversationId?: string | undefined
  /** Substring of the reason, case-insensitive. */
  reason?: string | undefined
  /** Limits of the time of death, inclusive. */
  after?: Date | undefined
  before?: Date | undefined
}

export interface DeadLetterRow {
  id: string
  lane: string
  number: string
  kind: DeliveryKind
  subject_id: string
  type: string | null
  conversation_id: string | null
  attempts: number
  last_error: string
  created_at: Date
  dead_at: Date
  [column: string]: unknown
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

/** Each condition is optional, so each combination is a prepared statement with its own name. */
const conditions: Record<keyof DeadLetterFilter, (value: string) => string> = {
  kind: (value) => `d.kind = ${value}::text`,
  type: (value) => `d.type = ${value}::text`,
  conversationId: (value) => `d.conversation_id = ${value}::text`,
  reason: (value) => `strpos(lower(d.last_error), lower(${value}::text)) > 0`,
  after: (value) => `d.dead_at >= ${value}::timestamptz`,
  before: (value) => `d.dead_at <= ${value}::timestamptz`,
}

/** $1 is the bot; the values of the filter follow the `known` ones. */
function matching(filter: DeadLetterFilter, known: unknown[]) {
  const given = Object.entries(conditions).filter(
    ([name]) => filter[name as keyof DeadLetterFilter] !== undefined,
  )
  return {
    name: given.map(([name]) => name).join('-'),
    text: [
      'd.bot_id = $1',
      'd.dead_at is not null',
      ...given.map(([, condition], at) => condition(`$${known.length + at + 1}`)),
    ].join(' and '),
    values: [...known, ...given.map(([name]) => filter[name as keyof DeadLetterFilter])],
  }
}

/** Returns a page, newest first. */
export function listDeadLetters(
  database: Database,
  botId: string,
  filter: DeadLetterFilter,
  { position, limit }: { position: string[] | null; limit: number },
) {
  const { name, text, values } = matching(filter, [
    botId,
    ...(position ?? ['infinity', '', 0]),
    limit,
  ])
  return database.run<DeadLetterRow>(
    `list-dead-letters-${name}`,
    `select ${columns} from delivery d
      where ${text} and (d.dead_at, d.lane, d.number) < ($2::timestamptz, $3::text, $4::bigint)
     order by d.dead_at desc, d.lane desc, d.number desc limit $5`,
    values,
  )
}

const noDeadLetter = (id: string) =>
  new ApiError('ResourceNotFound', `Dead letter "${id}" was not found`)

/** Throws ResourceNotFound. */
export async function findDeadLetter(
  database: Database,
  botId: string,
  id: string,
): Promise<DeadLetterRow> {
  const text = `select ${columns} from delivery d where d.bot_id = $1 and d.id = $2 and d.dead_at is not null`
  const [found] = await database.run<DeadLetterRow>('find-dead-letter', text, [botId, id])
  if (!found) throw noDeadLetter(id)
  return found
}

export interface AttemptRow {
  attempt: number
  started_at: Date
  ms: number
  error: string
  stack: string | null
  [column: string]: unknown
}

/** Lists all attempts, including those before earlier redeliveries. */
export function listAttempts(database: Database, botId: string, id: string): Promise<AttemptRow[]> {
  const text = `
    select attempt, started_at, ms, error, stack from delivery_attempt
    where bot_id = $1 and delivery_id = $2 order by attempt`
  return database.run<AttemptRow>('list-attempts', text, [botId, id])
}

/** Expects a CTE `picked` with the locked rows of dead letters. */
const revivePicked = (owner: string) => `
  due as (select bot_id, lane, id as delivery_id, kind, subject_id, number as ord, dead_at, trace
    from picked),
  ${placeDue(owner)},
  -- By id: the number differs if the row was redelivered and died again since the statement began.
  revived as (
    update delivery d set number = p.number, attempts = 0, earlier_attempts = d.earlier_attempts + d.attempts,
      dead_at = null, last_error = null
    from placed p where d.bot_id = p.bot_id and d.id = p.delivery_id
  ),
  awaited as (
    update event v set status = 'pending', failure_reason = null from picked p
      where p.kind = 'event' and v.bot_id = p.bot_id and v.id = p.subject_id
  )
  select bot_id, lane, number, delivery_id as id, kind, subject_id, owner, trace, dead_at, ord as dead_number
    from placed order by dead_at, lane, ord`

const forgetPicked = `
  removed as (delete from delivery d using picked p where d.bot_id = p.bot_id and d.id = p.id),
  forgotten as (delete from delivery_attempt a using picked p where a.bot_id = p.bot_id
    and a.delivery_id = p.id)
  select id, lane, dead_at, number as dead_number from picked order by dead_at, lane, number`

/** Locks one dead letter. A concurrent request waits here and then finds no dead letter. */
const pickOne = (by: 'id' | 'subject_id') => `
  with picked as (select d.* from delivery d where d.bot_id = $1 and d.${by} = $2 and d.dead_at is not null
    for update),`

/** Throws ResourceNotFound. */
export async function redeliverDeadLetter(deps: Deps, botId: string, id: string): Promise<void> {
  if (!(await redeliver(deps, botId, 'id', id))) throw noDeadLetter(id)
}

/** Returns false when the event has no dead letter. */
export const redeliverDeadLetterOf = (deps: Deps, botId: string, eventId: string) =>
  redeliver(deps, botId, 'subject_id', eventId)

async function redeliver(
  { database, deliveries }: Deps,
  botId: string,
  by: 'id' | 'subject_id',
  id: string,
): Promise<boolean> {
  const rows = await database.run<Placed>(`redeliver-by-${by}`, pickOne(by) + revivePicked('$3'), [
    botId,
    id,
    deliveries.owner,
  ])
  deliveries.dispatch(rows.map((row) => enqueuedOf(row)))
  return rows.length > 0
}

/** Discards a dead letter; its event stays failed. Throws ResourceNotFound. */
export async function discardDeadLetter(
  database: Database,
  botId: string,
  id: string,
): Promise<void> {
  const gone = await database.run('discard-dead-letter', pickOne('id') + forgetPicked, [botId, id])
  if (gone.length === 0) throw noDeadLetter(id)
}

interface Position {
  dead_at: Date
  lane: string
  dead_number: string
}

/** Rows per statement. Writes to the same lanes wait for the statement. */
const batch = 500

/**
 * Works through the matching dead letters, oldest first, and returns their number. Skips rows that
 * another process has locked, and deliveries that die after the start.
 */
async function forAll(
  database: Database,
  what: string,
  work: string,
  botId: string,
  filter: DeadLetterFilter,
  more: unknown[],
  onBatch: (rows: Placed[]) => void,
) {
  const [begun] = await database.run<{ at: Date }>(
    'dead-until-now',
    'select now()::timestamptz(3) as at',
    [],
  )
  let position: unknown[] = ['-infinity', '', 0]
  for (let count = 0; ; ) {
    const { name, text, values } = matching(filter, [botId, begun!.at, batch, ...position, ...more])
    const pick = `with picked as (
      select d.* from delivery d where ${text} and d.dead_at <= $2::timestamptz
        and (d.dead_at, d.lane, d.number) > ($4::timestamptz, $5::text, $6::bigint)
      order by d.dead_at, d.lane, d.number limit $3 for update skip locked
    ),`
    const rows = await database.run<Placed>(`${what}-${name}`, pick + work, values)
    onBatch(rows)
    count += rows.length
    const last = rows.at(-1)
    if (rows.length < batch || !last) return count
    position = [last.dead_at, last.lane, last.dead_number]
  }
}

/**
 * Redelivers the dead letters of each lane in the order of their deaths. They form a backlog: their
 * lanes stay unowned until a sweep has capacity for them, so that new deliveries do not wait for
 * them.
 */
export const redeliverDeadLetters = (
  { database, deliveries }: Deps,
  botId: string,
  filter: DeadLetterFilter,
): Promise<number> =>
  forAll(database, 'redeliver-all', revivePicked('$7'), botId, filter, [null], (rows) =>
    deliveries.dispatch(rows.map((row) => enqueuedOf(row))),
  )

export const discardDeadLetters = (
  database: Database,
  botId: string,
  filter: DeadLetterFilter,
): Promise<number> => forAll(database, 'discard-all', forgetPicked, botId, filter, [], () => {})
