// Filters of the search of conversations. If few conversations meet a filter, its index gives their
// ids; if many do, it is checked while the conversations are read in their order. The planner cannot
// distinguish the two, so `findCandidates` counts first.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { type Tags, toWordQuery } from '../../../core/messaging/index.ts'
import { hasManyMessages, hasMessage } from './message-checks.ts'
import { idsWithTag, intersection, limited, maxRare, rareIds } from './rare-filters.ts'

/** Ratings that each value of the filter includes. */
const ratings = {
  any: null,
  positive: ['positive', '4', '5'],
  negative: ['negative', '1', '2'],
} as const

export interface ConversationFilter {
  /** Words of one message; the last one may be incomplete. */
  text?: string | undefined
  tags?: Tags | undefined
  /** Conversations of one of these. */
  userIds?: string[] | undefined
  /** Alias. */
  integration?: string | undefined
  /** With true, only conversations with a dead letter or an issue; with false, only the others. */
  hasErrors?: boolean | undefined
  feedback?: keyof typeof ratings | undefined
  /** Whether a user has written. */
  hasUserMessages?: boolean | undefined
}

interface Condition {
  /** Selects up to 5,001 ids of conversations, perhaps repeated; null if no index has them. */
  ids: RawBuilder<unknown> | null
  /** The same condition on `conversation c`. */
  check: RawBuilder<boolean>
}

export interface Candidates {
  /** Ids of the conversations that meet all rare conditions; null if none is rare. */
  ids: string[] | null
  /** Conditions on `conversation c` that are left to check. */
  checks: RawBuilder<boolean>[]
  /** Whether most conversations meet the checks, so that a few are read to fill a page. */
  isCommon: boolean
  /** Expression for the number of the last message of `conversation c` with the words. */
  match: RawBuilder<string | null>
}

/** Null if no conversation can match, because the text has no words. */
export async function findCandidates(
  db: Db,
  botId: string,
  { text, hasUserMessages, ...filter }: ConversationFilter,
): Promise<Candidates | null> {
  const query = text === undefined ? undefined : toWordQuery(botId, text)
  if (query === null) return null
  const conditions = toConditions(botId, filter)
  const [words, ...sets] = await countRare(db, botId, query, conditions)
  const rare = sets.filter((set): set is string[] => set !== null)
  const match = matchInSql(words, query)
  const checks = conditions.flatMap(({ check }, at) => (sets[at] ? [] : [check]))
  if (query && !words) checks.unshift(sql<boolean>`${match} is not null`)
  return {
    ids: intersection(words ? [Object.keys(words), ...rare] : rare),
    checks: [
      ...checks,
      ...(hasUserMessages === undefined ? [] : [isWritten(hasUserMessages)]),
    ],
    isCommon: hasUserMessages === true && checks.length === 0,
    match,
  }
}

/** A conversation with more messages than a check should read is not hidden. */
function isWritten(isWanted: boolean): RawBuilder<boolean> {
  const check = sql`(${hasManyMessages} or ${hasMessage(sql`m.direction = 'incoming'`)})`
  return isWanted ? sql`${check}` : sql`not ${check}`
}

function matchInSql(words: Words, query: string | undefined): RawBuilder<string | null> {
  if (words) return sql`${JSON.stringify(words)}::jsonb ->> c.id`
  return query === undefined ? sql`null` : lastMatch(query)
}

/** Not by the index of words, which would read all messages with the words for each conversation. */
const lastMatch = (query: string) => sql<string | null>`(
  select s.number::text from message_search s
  where s.bot_id = c.bot_id and s.conversation_id = c.id and (s.words @@ ${query}::tsquery) is true
  order by s.number desc limit 1)`

type Words = Record<string, string> | null

/**
 * Reads the index of each condition up to a limit, in one statement. Returns null for a condition
 * that is not rare. The first one is the search for words.
 */
async function countRare(
  db: Db,
  botId: string,
  query: string | undefined,
  conditions: Condition[],
): Promise<[words: Words, ...sets: (string[] | null)[]]> {
  const words = sql`(
    select case when sum(matches) > ${maxRare} then null
      else coalesce(jsonb_object_agg(conversation_id, number::text), '{}') end
    from find_message_words(${botId}, ${query}::tsquery, ${maxRare + 1}))`
  const sets = conditions.map(({ ids }) => rareIds(ids))
  if (query === undefined && conditions.every(({ ids }) => ids === null))
    return [null, ...conditions.map(() => null)]
  const columns = [query === undefined ? sql`null` : words, ...sets]
  const { rows } = await sql<{ found: [Words, ...(string[] | null)[]] }>`
    select jsonb_build_array(${sql.join(columns)}) as found`.execute(db)
  return rows[0]!.found
}

function toConditions(
  botId: string,
  { tags = {}, userIds, integration, hasErrors, feedback }: ConversationFilter,
): Condition[] {
  return [
    ...Object.entries(tags).map(([name, value]) => hasTag(botId, name, value)),
    ...(userIds === undefined ? [] : [hasUser(botId, userIds)]),
    ...(integration === undefined ? [] : [isOfIntegration(botId, integration)]),
    ...(hasErrors === undefined ? [] : [failed(botId, hasErrors)]),
    ...(feedback === undefined ? [] : [isRated(botId, ratings[feedback])]),
  ]
}

const hasTag = (botId: string, name: string, value: string): Condition => ({
  ids: idsWithTag(botId, 'conversation', name, value),
  check: sql`c.tags @> ${JSON.stringify({ [name]: value })}::jsonb`,
})

const hasUser = (botId: string, userIds: string[]): Condition => ({
  ids: limited(sql`select conversation_id as id from participant
    where bot_id = ${botId} and user_id = any(${userIds}::text[]) order by user_id`),
  check: sql`exists (select from participant p where p.bot_id = c.bot_id
    and p.conversation_id = c.id and p.user_id = any(${userIds}::text[]))`,
})

const isOfIntegration = (botId: string, alias: string): Condition => ({
  ids: limited(sql`select id from conversation
    where bot_id = ${botId} and integration = ${alias} order by created_at desc`),
  check: sql`c.integration = ${alias}`,
})

function failed(botId: string, isWanted: boolean): Condition {
  const letters = limited(sql`select conversation_id as id from delivery
    where bot_id = ${botId} and dead_at is not null and conversation_id is not null
    order by conversation_id`)
  const issues =
    limited(sql`select data -> 'conversationId' ->> 'raw' as id from issue_event
    where bot_id = ${botId} and data ? 'conversationId'
    order by data -> 'conversationId' ->> 'raw'`)
  const check = sql<boolean>`(
    exists (select from delivery d where d.bot_id = c.bot_id and d.conversation_id = c.id
      and d.dead_at is not null)
    or exists (select from issue_event i where i.bot_id = c.bot_id and i.data ? 'conversationId'
      and i.data -> 'conversationId' ->> 'raw' = c.id))`
  return isWanted
    ? { ids: limited(sql`${letters} union all ${issues}`), check }
    : { ids: null, check: sql`not ${check}` }
}

function isRated(botId: string, values: readonly string[] | null): Condition {
  const rated = sql`select conversation_id as id from message_feedback where bot_id = ${botId}`
  const withRating = (rating: string) =>
    limited(sql`${rated} and rating = ${rating} order by id`)
  const ids = values
    ? sql.join(values.map(withRating), sql` union all `)
    : sql`${rated} order by conversation_id`
  return {
    ids: limited(ids),
    check: sql`exists (select from message_feedback f where f.bot_id = c.bot_id
      and f.conversation_id = c.id
      and ${values ? sql`f.rating = any(${values}::text[])` : sql`true`})`,
  }
}
