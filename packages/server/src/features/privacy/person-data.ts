// Determines the rows that belong to a person, a user of a bot. Counts, exports and erasures use the
// same conditions. Every table with ids of users, conversations, messages or events is in one of the
// two lists; `erasures.test.ts` fails otherwise.
import type { PersonalDataKind } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { hasHash } from '../../core/db/hashed-ids.ts'
import { contentPath } from '../../core/files/content-urls.ts'

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

interface Walk {
  byIndex: (person: Person) => Condition
  finds: (person: Person) => Condition
  /** Column of the table that refers to the ids of `through`, in whose order the walk goes. */
  key: string
  through: 'message' | 'model_call' | 'conversation'
}

/** Rows of one kind. */
export interface Holding {
  kind: PersonalDataKind
  table: string
  /** Condition on the row `t`. */
  belongs: (person: Person) => Condition
  /**
   * For a table without an index of the person: an erasure finds the rows that `finds` selects by
   * walking through all rows of the bot, and those that `byIndex` selects by an index.
   */
  walk?: Walk
  /** Deleted with rows of other kinds, so an export has them there. */
  isDerived?: true
}

const all = (...conditions: Condition[]): Condition => sql`(${sql.join(conditions, sql` and `)})`
const any = (...conditions: Condition[]): Condition => sql`(${sql.join(conditions, sql` or `)})`

const ofBot = ({ botId }: Person): Condition => sql`t.bot_id = ${botId}`
const isUser = ({ userId }: Person): Condition => sql`t.user_id = ${userId}`
const isConversation = ({ conversations }: Person): Condition =>
  sql`t.conversation_id = any(${conversations}::text[])`

/** Returns whether the text contains the id of the person. */
const names = (text: RawBuilder<unknown>, { userId, shownId }: Person): Condition =>
  any(sql`strpos(${text}, ${userId}) > 0`, sql`strpos(${text}, ${JSON.stringify(shownId)}) > 0`)

const ownEvents = ({ botId, userId, conversations }: Person) => sql`
  select e.id from event e where e.bot_id = ${botId} and (e.conversation_id = any(${conversations}::text[])
    or (${hasHash(sql`e.user_id`, sql`${userId}::text`)} and e.user_id = ${userId}))`

export const isOfEvent = (column: string, person: Person): Condition => {
  const id = sql.ref(`t.${column}`)
  return any(sql`${id} in (${ownEvents(person)})`, sql`${id} = any(${person.events}::text[])`)
}

const isDeadLetter = (person: Person): Condition =>
  all(sql`t.dead_at is not null`, any(isConversation(person), isOfEvent('subject_id', person)))

const ofUserOrConversation = (person: Person) =>
  all(ofBot(person), any(isUser(person), isConversation(person)))

const ofUserConversationOrEvent = (person: Person) =>
  all(ofBot(person), any(isUser(person), isConversation(person), isOfEvent('event_id', person)))

const isIssueEvent = (person: Person): Condition =>
  any(
    names(sql`t.data::text`, person),
    sql`exists (select from unnest(${person.conversations}::text[]) id
      where strpos(t.data::text, id) > 0)`,
  )

/** The names of the limits per user begin with it (core/rates/rates.ts). */
const isRateCounter = ({ botId, userId, shownId }: Person): Condition => sql`t.key like 'user%'
  and substring(t.key from position(' ' in t.key) + 1) in (
    select '["' || i.webhook_id || '",' || claim || ']' from installation i
    cross join unnest(${[userId, shownId].map((id) => JSON.stringify(id))}::text[]) claim
    where i.bot_id = ${botId})`

/** A file that a member sent to the person in the inbox of the dashboard. */
const isInboxFile = ({ conversations }: Person): Condition => sql`exists (
  select from unnest(${conversations}::text[]) c where starts_with(t.key, 'inbox/' || c || '/'))`

/**
 * A file that a member sent before these files were in a folder of their conversation: messages to the
 * person name its URL, and no message of another conversation does. The second condition reads all
 * messages of the bot, so it is for the few files that meet the first.
 */
const isFormerInboxFile = ({ botId, conversations }: Person): Condition => {
  const own = sql`m.conversation_id = any(${conversations}::text[])`
  const path = `${contentPath}/${botId}/`
  return all(
    sql`starts_with(t.key, 'inbox/')`,
    sql`case when t.id in (
      select substring(part from '^[A-Za-z0-9_]+')
      from message m cross join lateral string_to_table(m.payload::text, ${path}) part
      where m.bot_id = ${botId} and ${own} and m.direction = 'outgoing'
        and strpos(m.payload::text, ${path}) > 0
    ) then not exists (
      select from message m where m.bot_id = ${botId} and not ${own}
        and strpos(m.payload::text, ${path} || t.id) > 0
    ) else false end`,
  )
}

/** A column with `"x-zui": { "userId": true }` contains ids of users. */
const isDeclaredCell = ({ botId, userId, shownId }: Person): Condition =>
  hasDeclaredCell({ botId }, sql`in (to_jsonb(${userId}::text), to_jsonb(${shownId}::text))`)

/** Returns whether the condition holds for a cell with the id of a user. */
export const hasDeclaredCell = (
  { botId }: Pick<Person, 'botId'>,
  condition: RawBuilder<unknown>,
): Condition => sql`exists (
  select from bot_table b cross join lateral jsonb_array_elements(b.columns) c
  where b.bot_id = ${botId} and b.bot_table_id = t.bot_table_id
    and c -> 'schema' -> 'x-zui' -> 'userId' = 'true'
    and t.data -> (c ->> 'id') ${condition})`

/** Selects the ids of the tables that have columns with ids of users. */
export const hasDeclaredColumns = ({ botId }: Pick<Person, 'botId'>) => sql`
  select b.bot_table_id from bot_table b where b.bot_id = ${botId}
    and jsonb_path_exists(b.columns, '$[*].schema."x-zui".userId ? (@ == true)')`

/** In the order of deletion: rows about events are found by the events. */
export const holdings: Holding[] = [
  {
    kind: 'traces',
    table: 'event_trace',
    belongs: (person) => all(ofBot(person), isOfEvent('event_id', person)),
  },
  {
    kind: 'deliveryAttempts',
    table: 'delivery_attempt',
    belongs: (person) =>
      all(
        ofBot(person),
        any(
          isOfEvent('subject_id', person),
          sql`t.delivery_id in (select t.id from delivery t where ${ofBot(person)}
            and ${isDeadLetter(person)})`,
        ),
      ),
  },
  {
    kind: 'deadLetters',
    table: 'delivery',
    belongs: (person) => all(ofBot(person), isDeadLetter(person)),
  },
  {
    kind: 'actionRuns',
    table: 'action_run',
    belongs: (person) => all(ofBot(person), isOfEvent('cause', person)),
  },
  {
    kind: 'logs',
    table: 'bot_log',
    belongs: (person) =>
      all(
        ofBot(person),
        any(
          isUser(person),
          isConversation(person),
          isOfEvent('event_id', person),
          names(sql`t.message`, person),
        ),
      ),
  },
  {
    kind: 'logs',
    table: 'integration_log',
    belongs: (person) =>
      all(
        sql`t.integration_id in (select i.integration_id from installation i
          where i.bot_id = ${person.botId})`,
        ofBot(person),
        any(isUser(person), isConversation(person), names(sql`t.message`, person)),
      ),
  },
  {
    kind: 'observations',
    table: 'observation',
    belongs: ofUserConversationOrEvent,
  },
  {
    kind: 'issueEvents',
    table: 'issue_event',
    belongs: (person) => all(ofBot(person), isIssueEvent(person)),
  },
  {
    kind: 'issues',
    table: 'issue',
    isDerived: true,
    belongs: (person) =>
      all(
        ofBot(person),
        sql`t.id in (select t.issue_id from issue_event t where ${ofBot(person)}
          group by t.issue_id having bool_and(${isIssueEvent(person)}))`,
      ),
  },
  {
    kind: 'modelCalls',
    table: 'model_call',
    belongs: ofUserConversationOrEvent,
    walk: {
      byIndex: (person) => any(isConversation(person), isOfEvent('event_id', person)),
      finds: isUser,
      key: 'id',
      through: 'model_call',
    },
  },
  {
    kind: 'notifications',
    table: 'told_change',
    belongs: (person) => all(ofBot(person), names(sql`t.body::text`, person)),
  },
  {
    kind: 'webhookRequests',
    table: 'webhook_request',
    belongs: (person) =>
      all(ofBot(person), sql`t.alias = ${person.integration}::text`, sql`t.at <= ${person.until}`),
  },
  {
    kind: 'storedResponses',
    table: 'idempotency_key',
    belongs: (person) =>
      all(
        ofBot(person),
        any(
          sql`t.shown_user_id in (${person.userId}, ${person.shownId})`,
          sql`exists (select from message m where m.bot_id = t.bot_id and m.id = t.message_id
            and m.conversation_id = any(${person.conversations}::text[]))`,
        ),
      ),
  },
  { kind: 'rateCounters', table: 'rate_window', belongs: isRateCounter },
  { kind: 'feedback', table: 'message_feedback', belongs: ofUserOrConversation },
  {
    kind: 'notes',
    table: 'conversation_note',
    belongs: (person) => all(ofBot(person), isConversation(person)),
  },
  {
    kind: 'handoffs',
    table: 'handoff',
    belongs: (person) => all(ofBot(person), isConversation(person)),
  },
  { kind: 'scheduledMessages', table: 'scheduled_message', belongs: ofUserOrConversation },
  {
    kind: 'states',
    table: 'state',
    belongs: (person) =>
      all(
        ofBot(person),
        any(
          isUser(person),
          isConversation(person),
          sql`t.workflow_id in (select t.id from workflow t where ${ofUserOrConversation(person)})`,
        ),
      ),
  },
  { kind: 'workflows', table: 'workflow', belongs: ofUserOrConversation },
  {
    kind: 'files',
    table: 'file',
    belongs: (person) =>
      all(
        ofBot(person),
        any(
          all(sql`t.owner ->> 'type' = 'user'`, sql`t.owner ->> 'id' = ${person.userId}`),
          isInboxFile(person),
          isFormerInboxFile(person),
        ),
      ),
  },
  {
    kind: 'tableRows',
    table: 'table_row',
    belongs: (person) =>
      all(
        ofBot(person),
        sql`t.bot_table_id in (${hasDeclaredColumns(person)})`,
        isDeclaredCell(person),
      ),
  },
  {
    kind: 'signals',
    table: 'signal',
    isDerived: true,
    belongs: (person) => all(ofBot(person), any(isConversation(person), isSignalOf(person))),
    walk: {
      byIndex: isConversation,
      finds: isSignalOf,
      key: 'conversation_id',
      through: 'conversation',
    },
  },
  {
    kind: 'events',
    table: 'event',
    belongs: (person) =>
      all(
        ofBot(person),
        any(
          isConversation(person),
          all(hasHash(sql`t.user_id`, sql`${person.userId}::text`), isUser(person)),
        ),
      ),
  },
  {
    kind: 'messages',
    table: 'message',
    belongs: ofUserOrConversation,
    walk: { byIndex: isConversation, finds: isUser, key: 'id', through: 'message' },
  },
  {
    kind: 'conversations',
    table: 'conversation',
    belongs: (person) => all(ofBot(person), sql`t.id = any(${person.conversations}::text[])`),
  },
  {
    kind: 'users',
    table: 'user',
    belongs: (person) => all(ofBot(person), sql`t.id = ${person.userId}`),
  },
]

function isSignalOf({ userId, shownId }: Person): Condition {
  const ids = sql`(${userId}::text, ${shownId}::text)`
  return any(sql`t.data ->> 'userId' in ${ids}`, sql`t.data ->> 'participantId' in ${ids}`)
}

/** Tables with such ids whose rows an erasure does not delete itself, with the reason. */
const otherTables: Record<string, string> = {
  audit_record: 'is a chain of hashes; it names ids, and operators as their actors',
  erasure: 'names the id of the erased user, which the server created',
  file_index: 'is deleted with its file',
  file_tag: 'is deleted with its file',
  knowledge_page: 'has files that the server read from websites',
  file_word: 'is deleted with its file',
  handoff_agent: 'is deleted with its user',
  lane: 'is deleted when it is idle',
  message_search: 'is deleted with its message',
  participant: 'is deleted with its user or conversation',
  passage: 'is deleted with its file',
  passage_vector: 'is deleted with its file',
  table_row_terms: 'is deleted with its row',
  table_row_text: 'is deleted with its row',
  tag_value: 'is deleted with its user, conversation or message',
}

/** Columns that name people, or what people wrote. */
const personalColumn =
  /^(user_id|conversation_id|message_id|event_id|subject_id|shown_.*_id|cause|file_id|row_id)$/

/** Returns the tables that are in neither list although a column may name a person. */
export const undecidedTables = (tables: { name: string; columns: { name: string }[] }[]) =>
  tables
    .filter(({ name }) => !holdings.some(({ table }) => table === name) && !(name in otherTables))
    .filter(({ columns }) => columns.some(({ name }) => personalColumn.test(name)))
    .map(({ name }) => name)

/**
 * Finds the conversations of a person without other people. Agents who answered in place of the bot
 * do not count, nor does anyone who never wrote and has left.
 */
export async function findOwnConversations(
  db: Db,
  { botId, userId }: Pick<Person, 'botId' | 'userId'>,
): Promise<string[]> {
  const isOther = (column: string) => sql`${sql.ref(column)} not in (${userId}, ${botId})
    and not exists (select from handoff_agent a where a.bot_id = ${botId}
      and a.user_id = ${sql.ref(column)})`
  const { rows } = await sql<{ id: string }>`
    with candidate as materialized (
      select p.conversation_id as id from participant p
        where p.bot_id = ${botId} and p.user_id = ${userId}
      union
      select c.id from conversation c where c.bot_id = ${botId} and c.owner_id = ${userId}
    )
    select id from candidate
    where not exists (select from participant p where p.bot_id = ${botId}
        and p.conversation_id = candidate.id and ${isOther('p.user_id')})
      and not exists (select from message m where m.bot_id = ${botId}
        and m.conversation_id = candidate.id and ${isOther('m.user_id')})
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
