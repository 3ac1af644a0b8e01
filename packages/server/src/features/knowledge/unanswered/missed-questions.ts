// Owns the tables missed_question and dismissed_question: questions without an answer, or with a badly rated
// one. A row is written with the message or the rating that shows it, and deleted with the message of the
// question. open-questions.ts lists those that nothing answers by now.
import { createHash } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { type GetRedactors, redactStored } from '../../../core/compute/index.ts'
import type { Db } from '../../../core/db/index.ts'
import { languageOfQuestion, readQuestion } from '../curated/questions.ts'
import { findStems } from '../curated/stems.ts'

type Reason = 'unanswered' | 'rated'

interface Missed {
  botId: string
  /** Id of the bot's message. */
  answerId: string
  reason: Reason
  /** As the bot states it; by default the message of the person. */
  question?: string
}

const maxText = 1_000

/** Records the question of an answer. Does nothing without the text of a question. */
export async function recordMissed(
  db: Db,
  getRedactors: GetRedactors,
  { botId, answerId, reason, question }: Missed,
): Promise<void> {
  const asked = await findQuestion(db, botId, answerId)
  const text = (question ?? asked?.text ?? '').trim().slice(0, maxText).toWellFormed()
  if (!asked || text === '') return
  // The message of a person was redacted when it was stored; the bot may state something else.
  const stored =
    question === undefined ? text : await redactStored(getRedactors, botId, text)
  const key = await digestQuestion(db, botId, stored)
  await sql`
    insert into missed_question (bot_id, answer_id, message_id, conversation_id, key, text, reason)
    select m.bot_id, ${answerId}, m.id, m.conversation_id, ${key}, ${stored}, ${reason}
    from message m where m.bot_id = ${botId} and m.id = ${asked.message_id}
    on conflict (bot_id, answer_id) do nothing`.execute(db)
}

/** Records the question of a message if a user rates it as bad. */
export async function recordBadRating(
  db: Db,
  getRedactors: GetRedactors,
  { botId, id: answerId }: { botId: string; id: string },
): Promise<void> {
  const { rows } = await sql`
    select from message_feedback f join message m on m.bot_id = f.bot_id and m.id = f.message_id
    where f.bot_id = ${botId} and f.message_id = ${answerId} and ${isBad} and m.direction = 'outgoing'
    limit 1`.execute(db)
  if (rows.length > 0)
    await recordMissed(db, getRedactors, { botId, answerId, reason: 'rated' })
}

const isBad = sql<boolean>`f.rating in ('negative', '1', '2')`

interface Asked {
  message_id: string
  text: string | null
}

/** Returns the message that the bot answered, or the last one before; the bot's own without one. */
async function findQuestion(
  db: Db,
  botId: string,
  answerId: string,
): Promise<Asked | undefined> {
  const text = sql`coalesce(m.payload ->> 'text', m.payload ->> 'value')`
  const { rows } = await sql<Asked>`
    select coalesce(caused.id, earlier.id, answer.id) as message_id,
      case when caused.id is null then earlier.text else caused.text end as text
    from message answer
    left join lateral (
      select m.id, ${text} as text from event e join message m on m.bot_id = e.bot_id and m.id = e.message_id
      where e.bot_id = answer.bot_id and e.id = answer.cause and m.direction = 'incoming'
    ) caused on true
    left join lateral (
      select m.id, ${text} as text from message m
      where m.bot_id = answer.bot_id and m.conversation_id = answer.conversation_id
        and m.direction = 'incoming' and m.number < answer.number
      order by m.number desc limit 1
    ) earlier on true
    where answer.bot_id = ${botId} and answer.id = ${answerId}`.execute(db)
  return rows[0]
}

/** A digest, so that nothing of the text stays when its messages are deleted. */
async function digestQuestion(db: Db, botId: string, text: string): Promise<string> {
  const found = await languageOfQuestion(text)
  const language = found === 'simple' ? await findUsualLanguage(db, botId) : found
  const { content, words, person, isOrdered } = readQuestion(text, language)
  const counted = content.length > 0 ? content : words
  const findStem = await findStems(
    db,
    counted.map((word) => ({ language, word })),
  )
  const stems = [...new Set(counted.map((word) => findStem(language, word)))]
  // "Can I call you?" and "Can you call me?", "from A to B" and "from B to A" need different answers.
  const sense = [person ?? '', ...(isOrdered ? stems : stems.sort())].join(' ')
  const meaning = stems.length > 0 ? sense : text.toLowerCase()
  return createHash('sha256').update(`${botId} ${meaning}`).digest('hex').slice(0, 32)
}

/** The language of most documents: a few words are too short to tell. */
async function findUsualLanguage(db: Db, botId: string): Promise<string> {
  const { rows } = await sql<{ language: string }>`
    select language from file_index where bot_id = ${botId} and language <> 'simple'
    group by language order by sum(passages) desc, language limit 1`.execute(db)
  return rows[0]?.language ?? 'simple'
}

export interface MissedGroup {
  key: string
  /** The last first: at most 20. */
  wordings: string[]
  /** As people wrote it, also those that differ in case and punctuation only: at most 50. */
  texts: string[]
  count: number
  unanswered: number
  rated: number
  first_at: Date
  last_at: Date
  conversation_id: string
  message_id: string
}

interface Listing {
  position: { count: number; lastAt: Date; key: string } | null
  limit: number
}

/** Questions that a listing reads. */
const maxRead = 20_000
const maxWordings = 20
const maxTexts = 50

/** Lists groups without dismissed ones and ratings that were taken back, the most frequent first. */
export async function listMissedGroups(
  db: Db,
  botId: string,
  { position, limit }: Listing,
): Promise<MissedGroup[]> {
  const after = position
    ? sql`(count, last_at, key) <
        (${position.count}::int, ${position.lastAt}::timestamptz, ${position.key})`
    : sql`true`
  const { rows } = await sql<Omit<MissedGroup, 'texts'>>`
    with recent as (
      select * from missed_question where bot_id = ${botId} order by created_at desc limit ${maxRead}
    ), grouped as (
      select bot_id, key, count(*)::int as count,
        (count(*) filter (where reason = 'unanswered'))::int as unanswered,
        (count(*) filter (where reason = 'rated'))::int as rated,
        min(created_at) as first_at, max(created_at) as last_at,
        (array_agg(text order by created_at desc, answer_id desc))[:500] as wordings,
        (array_agg(conversation_id order by created_at desc, answer_id desc))[1] as conversation_id,
        (array_agg(message_id order by created_at desc, answer_id desc))[1] as message_id
      from recent r
      -- The limits make the subqueries use an index for each row.
      where reason <> 'rated' or (
          select f.id from message_feedback f
          where f.bot_id = r.bot_id and f.message_id = r.answer_id and ${isBad} limit 1
        ) is not null
      group by bot_id, key
    )
    select * from grouped g
    where ${after} and (
        select d.key from dismissed_question d where d.bot_id = g.bot_id and d.key = g.key limit 1
      ) is null
    order by count desc, last_at desc, key desc limit ${limit}`.execute(db)
  return rows.map((row) => ({
    ...row,
    wordings: distinctWordings(row.wordings),
    texts: [...new Set(row.wordings)].slice(0, maxTexts),
  }))
}

/** Without those that differ only in case and punctuation. */
function distinctWordings(texts: string[]): string[] {
  const byWords = new Map<string, string>()
  for (const text of texts) {
    const words = readQuestion(text, 'simple').words.join(' ') || text
    if (!byWords.has(words)) byWords.set(words, text)
  }
  return [...byWords.values()].slice(0, maxWordings)
}

/** Throws ResourceNotFound. */
export async function dismissMissed(
  db: Db,
  botId: string,
  accountId: string | null,
  key: string,
): Promise<void> {
  const { rows } = await sql`
    with found as (
      select bot_id, key from missed_question where bot_id = ${botId} and key = ${key} limit 1
    ), dismissed as (
      insert into dismissed_question (bot_id, key, account_id)
      select bot_id, key, ${accountId} from found on conflict (bot_id, key) do nothing
    )
    select from found limit 1`.execute(db)
  if (rows.length === 0)
    throw new ApiError(
      'ResourceNotFound',
      `The bot has no missed question with the key "${key}"`,
    )
}
