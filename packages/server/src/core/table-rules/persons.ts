// The rows that belong to a person, a user of a bot. Counts, exports and erasures use the same conditions.
import type { PersonalDataCounts, PersonalDataKind } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, hasHash } from '../db/index.ts'

export interface Person {
  botId: string
  userId: string
  /** Id in chats: the one that the client chose, or `userId`. */
  shownId: string
  /** Alias of the user's integration. */
  integration: string | null
  /** Conversations that no other person takes part in. */
  conversations: string[]
  /** Events that were being delivered when they were erased; rows about them may follow. */
  events: string[]
  /** Webhook requests do not name users: an erasure deletes all of the integration before this time. */
  until: Date
}

type Condition = RawBuilder<boolean>

interface PersonWalk {
  byIndex: (person: Person) => Condition
  finds: (person: Person) => Condition
  /** Column of the table that refers to the ids of `through`, in whose order the walk goes. */
  key: string
  through: 'message' | 'model_call' | 'conversation'
}

export interface RemovedOfPerson {
  count: number
  /** Events with a delivery that may still be running. */
  events?: string[]
  /** Rows of other kinds that were deleted with them. */
  more?: PersonalDataCounts
}

export interface PersonRule {
  kind: PersonalDataKind
  /** Place in the order of deletion: rows about events are found by the events, so those come first. */
  step: number
  /** Condition on the row `t`. */
  belongs: (person: Person) => Condition
  /**
   * For a table without an index of the person: an erasure finds the rows that `finds` selects by
   * walking through all rows of the bot, and those that `byIndex` selects by an index.
   */
  walk?: PersonWalk
  /** Deleted with rows of other kinds, so an export has them there. */
  isDerived?: true
  /** Deletes at most `batchSize` rows that the condition selects, with all that belongs to them. */
  remove?: (db: Db, person: Person, belongs: Condition) => Promise<RemovedOfPerson>
}

export const and = (...conditions: Condition[]): Condition =>
  sql`(${sql.join(conditions, sql` and `)})`
export const or = (...conditions: Condition[]): Condition =>
  sql`(${sql.join(conditions, sql` or `)})`

export const isOfBot = ({ botId }: Pick<Person, 'botId'>): Condition =>
  sql`t.bot_id = ${botId}`
export const isUser = ({ userId }: Person): Condition => sql`t.user_id = ${userId}`
export const isConversation = ({ conversations }: Person): Condition =>
  sql`t.conversation_id = any(${conversations}::text[])`

/** Returns whether the text contains the id of the person. */
export const mentions = (
  text: RawBuilder<unknown>,
  { userId, shownId }: Person,
): Condition =>
  or(
    sql`strpos(${text}, ${userId}) > 0`,
    sql`strpos(${text}, ${JSON.stringify(shownId)}) > 0`,
  )

const selectEvents = ({ botId, userId, conversations }: Person) => sql`
  select e.id from event e where e.bot_id = ${botId} and (e.conversation_id = any(${conversations}::text[])
    or (${hasHash(sql`e.user_id`, sql`${userId}::text`)} and e.user_id = ${userId}))`

export const isOfEvent = (column: string, person: Person): Condition => {
  const id = sql.ref(`t.${column}`)
  return or(
    sql`${id} in (${selectEvents(person)})`,
    sql`${id} = any(${person.events}::text[])`,
  )
}

export const isOfUserOrConversation = (person: Person) =>
  and(isOfBot(person), or(isUser(person), isConversation(person)))

export const isOfUserConversationOrEvent = (person: Person) =>
  and(
    isOfBot(person),
    or(isUser(person), isConversation(person), isOfEvent('event_id', person)),
  )
