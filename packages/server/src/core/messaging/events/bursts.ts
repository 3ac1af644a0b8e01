// Bursts: messages that a user writes in a row, which the bot receives together (burst-deliveries.ts). The
// event of each but the last names the next one in `joined_to`. The last one brings the content of all, also
// when it is repeated or redelivered.
import { type Database, type Db, statement } from '../../db/index.ts'
import { queueStatements } from '../../queue/index.ts'

/** A message of the burst and its event. */
export interface BurstMessage {
  eventId: string
  messageId: string
  /** Milliseconds since it was written, by the clock of the database. */
  ageMs: number
  bytes: number
}

export interface Burst {
  own: BurstMessage
  /** Id of the event that brings this one; null if none does. */
  joinedTo: string | null
  /** Earlier messages that this event brings, newest first. */
  earlier: BurstMessage[]
  /** The next delivery of the lane, if it brings a message of the same user. */
  next: BurstMessage | null
}

interface BurstRow {
  place: 'own' | 'earlier' | 'next'
  id: string
  message_id: string
  joined_to: string | null
  age_ms: number
  bytes: number
  [column: string]: unknown
}

const columns = `e.id, e.message_id, e.joined_to, m.user_id, e.type,
  (extract(epoch from clock_timestamp() - m.created_at) * 1000)::float8 as age_ms,
  octet_length(m.payload::text) as bytes`
const ofMessage = 'left join message m on m.bot_id = e.bot_id and m.id = e.message_id'

const burstStatement = statement<{
  botId: string
  lane: string
  number: string
  eventId: string
  limit: number
}>(
  'find-burst',
  `with own as (
     select ${columns} from event e ${ofMessage} where e.bot_id = :botId::text and e.id = :eventId::text
   ),
   before as (
     select e.* from event e where e.bot_id = :botId and e.conversation_id = :lane::text
       and hashtextextended(e.conversation_id, 0) = hashtextextended(:lane, 0) and e.id < :eventId
     order by e.id desc limit :limit
   ),
   following as (
     select * from delivery where bot_id = :botId and lane = :lane and number > :number and dead_at is null
     order by number limit 1
   )
   select 'own' as place, own.* from own
   union all
   select 'earlier', ${columns} from before e ${ofMessage}
     where e.joined_to is not null and m.id is not null
   union all
   select 'next', ${columns} from following d join event e on e.bot_id = d.bot_id and e.id = d.subject_id
     ${ofMessage}, own
     where d.kind = 'event' and d.stopped_at is null and not d.withheld and e.type = 'message_created'
       and m.user_id = own.user_id
   order by place, id desc`,
)

/**
 * Returns the burst of a message that is delivered; null if the message was deleted. Looks at no more than
 * `limit` earlier events.
 */
export async function findBurst(
  database: Pick<Database, 'run'>,
  delivery: { botId: string; lane: string; number: string; eventId: string },
  limit: number,
): Promise<Burst | null> {
  const rows = await database.run<BurstRow>(...burstStatement({ ...delivery, limit }))
  const own = rows.find(({ place }) => place === 'own')
  if (!own?.message_id) return null
  const next = rows.find(({ place }) => place === 'next')
  return {
    own: toBurstMessage(own),
    joinedTo: own.joined_to,
    earlier: followChain(own.id, rows),
    next: next ? toBurstMessage(next) : null,
  }
}

/** Returns the messages that lead to the event: each names the one after it. */
function followChain(eventId: string, rows: BurstRow[]): BurstMessage[] {
  const chain: BurstMessage[] = []
  let last = eventId
  for (const row of rows) {
    if (row.place !== 'earlier' || row.joined_to !== last) continue
    chain.push(toBurstMessage(row))
    last = row.id
  }
  return chain
}

const toBurstMessage = ({ id, message_id, age_ms, bytes }: BurstRow): BurstMessage => ({
  eventId: id,
  messageId: message_id,
  ageMs: age_ms,
  bytes,
})

const joinStatement = statement<{
  botId: string
  lane: string
  eventId: string
  nextId: string
  owner: string
}>(
  'join-event',
  `update event set joined_to = :nextId::text
   where bot_id = :botId::text and id = :eventId::text
     and ${queueStatements.isHeldBy(':botId', ':lane::text', ':owner::text')}
   returning id`,
)

/** Has the next event bring the message of this one. Returns false if the lane has another owner now. */
export async function joinEvent(
  database: Pick<Database, 'run'>,
  joined: { botId: string; lane: string; eventId: string; nextId: string; owner: string },
): Promise<boolean> {
  return (await database.run(...joinStatement(joined))).length > 0
}

export interface Content {
  type: string
  payload: Record<string, unknown>
}

/** Returns the contents of messages, in the order of their ids; deleted ones are left out. */
export async function findContents(
  db: Db,
  botId: string,
  ids: string[],
): Promise<Content[]> {
  const rows = await db
    .selectFrom('message')
    .select(['type', 'payload'])
    .where('bot_id', '=', botId)
    .where('id', 'in', ids)
    .orderBy('number')
    .execute()
  return rows as Content[]
}
