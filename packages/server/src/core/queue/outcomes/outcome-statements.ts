// Parts of the statements that end and repeat deliveries (outcomes.ts, messaging/failures/). Each is one or
// more CTEs, or the body of one; its parameters are the names of CTEs. The worker that records is the
// parameter `workerId`.

import type { Settled } from '../deliveries.ts'
import { placeDue } from '../store.ts'
import { finishAttempts } from './attempts.ts'

/**
 * Whether the outcome `e` makes a dead letter: the delivery failed in all attempts, or its channel rejected
 * it. A rejected event keeps its failure itself.
 */
const isDead = `(e.result = 'retry' or e.result = 'failed' and e.kind <> 'event')`

/** The same for a final outcome in memory. */
export const isDeadLetter = ({ delivery, outcome }: Settled) =>
  outcome.result === 'retry' || (outcome.result === 'failed' && delivery.kind !== 'event')

/**
 * Makes dead letters of the deliveries in `counting (bot_id, lane, number, kind, subject_id, result,
 * attempts, reason)` that failed finally, with the type and the conversation of their subjects.
 */
export const buryDeliveries = (counting: string) => `
    update delivery d set dead_at = now(), attempts = e.attempts, last_error = e.reason,
      (type, conversation_id) = (
        select v.type, v.conversation_id from event v where e.kind = 'event' and v.bot_id = e.bot_id
          and v.id = e.subject_id
        union all
        select m.type, m.conversation_id from message m where e.kind = 'message' and m.bot_id = e.bot_id
          and m.id = e.subject_id
      )
    from ${counting} e
    where ${isDead} and d.bot_id = e.bot_id and d.lane = e.lane and d.number = e.number
      and d.dead_at is null
    returning e.*, d.earlier_attempts`

/** Stores the last attempts of the dead letters that `buryDeliveries` returns. */
export const noteLastAttempts = (buried: string) => `
    insert into delivery_attempt (bot_id, delivery_id, attempt, started_at, ms, error, stack)
    select bot_id, id, earlier_attempts + attempts, started_at, ms, reason, stack from ${buried}
      on conflict do nothing`

/** Deletes the other deliveries in `counting`. */
export const removeDeliveries = (counting: string) => `
    delete from delivery d using ${counting} e
    where not ${isDead} and d.bot_id = e.bot_id and d.lane = e.lane and d.number = e.number
    returning e.*, d.earlier_attempts`

/** Deletes the deliveries in `ended (bot_id, lane, number, owner)` of the lanes that `locked` holds. */
export const removeHeld = (ended: string, locked: string) => `
    delete from delivery d using ${ended} e join ${locked} l on l.bot_id = e.bot_id and l.key = e.lane
    where (l.owner is null or l.owner in (:workerId, e.owner))
      and d.bot_id = e.bot_id and d.lane = e.lane and d.number = e.number
    returning e.*`

/** The same for the one delivery of the parameters. */
export const removeOne = (locked: string) => `
    delete from delivery d using ${locked} l
    where (l.owner is null or l.owner in (:workerId::text, :owner::text))
      and d.bot_id = :botId and d.lane = :lane and d.number = :number::bigint
    returning 1`

/** Ends the statement: updates the lanes in `locked (bot_id, key, n)`, with n ended deliveries each. */
export const updateLanes = `update lane l set
    pending = l.pending - locked.n,
    owner = case when l.pending - locked.n <= 0 then null when l.owner is null then :workerId else l.owner end
  from locked where l.bot_id = locked.bot_id and l.key = locked.key
  returning l.bot_id, l.key, l.pending, l.owner`

const settledLane = `
    pending = l.pending - n,
    owner = case when l.pending - n <= 0 then null when l.owner is null then :workerId else l.owner end`

/** The same for the lanes in `counted (bot_id, key, n)`. */
export const settleLanes = `update lane l set ${settledLane}
  from counted c where l.bot_id = c.bot_id and l.key = c.key
  returning l.bot_id, l.key, l.pending, l.owner`

/** The same for the lane of the parameters, with the deliveries in `removed`. */
export const settleLane = `update lane l set ${settledLane}
  from (select count(*) as n from removed) counted where l.bot_id = :botId and l.key = :lane
  returning l.bot_id, l.key, l.pending, l.owner`

/** The same as `placeDue` for dead letters in `due`, and makes them pending deliveries. */
const reviveDeliveries = (owner: string) => `${placeDue(owner)},
  -- By id: the number differs if the row was redelivered and died again since the statement began.
  revived as (
    update delivery d set number = p.number, attempts = 0, earlier_attempts = d.earlier_attempts + d.attempts,
      dead_at = null, last_error = null
    from placed p where d.bot_id = p.bot_id and d.id = p.delivery_id
  )`

/** CTEs that delete the dead letters in `picked (bot_id, id, subject_id)`; their attempts stay for a while. */
export const discardDeliveries = (picked: string) => `removed as (
    delete from delivery d using ${picked} p
    where d.bot_id = p.bot_id and d.id = p.id),
  finished as (${finishAttempts(picked)})`

/** Marks the delivery in `answered (lane, number)` of the bot `botId` as stopped. */
const markStopped = (answered: string) => `
    update delivery d set stopped_at = now() from ${answered} a
    where d.bot_id = :botId and d.lane = a.lane and d.number = a.number and d.stopped_at is null
    returning d.subject_id`

/** Parts of statements that change deliveries. */
export const deliveryStatements = {
  discard: discardDeliveries,
  markStopped,
  revive: reviveDeliveries,
}
