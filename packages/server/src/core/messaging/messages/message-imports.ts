// Imports past messages with their own times: no delivery, no signal (message-pages.ts describes
// their numbers). Each message succeeds or fails independently. If its tags already exist, a
// message is not stored again, so an import can be repeated.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { declaredMessageTags } from '../chat/declared-tags.ts'
import { withKeysLocked } from '../get-or-create.ts'
import { writeWords } from '../search/filling.ts'
import { wordsOfMessage } from '../search/message-words.ts'
import {
  changeOfTags,
  discriminating,
  rejectUndeclared,
  type TagInput,
  type Tags,
  type Viewer,
} from '../tags/tags.ts'
import type { MessageRow } from './message-types.ts'
import { toLockKey } from './messages.ts'
import { findMessageContexts } from './references.ts'

interface MessageImport {
  conversationId: string
  userId: string
  type: string
  payload: Record<string, unknown>
  tags: TagInput
  /** ISO 8601. */
  createdAt: string
  discriminateByTags: string[]
}

/** One result per input, in order: the message, or the error. */
export type ImportedMessage = MessageRow | ApiError

interface Prepared {
  at: number
  input: MessageImport
  id: string
  createdAt: Date
  direction: 'incoming' | 'outgoing'
  tags: Tags
  /** Tags that identify the message; null for one that is always new. */
  match: Tags | null
}

export async function importMessages(
  db: Db,
  botId: string,
  viewer: Viewer,
  messages: MessageImport[],
): Promise<ImportedMessage[]> {
  if (messages.length === 0) return []
  const [places, declared] = await Promise.all([
    findMessageContexts(db, botId, viewer, messages),
    declaredMessageTags(db, botId, viewer),
  ])
  const checked = messages.map((input, at) => {
    try {
      return prepare(botId, viewer, input, at, declared(places(input)))
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  })
  const prepared = checked.filter((one): one is Prepared => !(one instanceof ApiError))
  const kept = await keep(db, botId, prepared)
  return checked.map((one) =>
    one instanceof ApiError
      ? one
      : (kept.get(one.at) ??
        new ApiError(
          'ResourceNotFound',
          'The conversation was deleted during the import',
        )),
  )
}

/** Allowed clock difference. */
const maxClockSkewMs = 60_000

/** Throws InvalidPayload. `path`: the path of the field, for the error. */
export function toPastTime(path: string, value: string): Date {
  const time = new Date(value)
  if (time.getTime() >= 0 && time.getTime() <= Date.now() + maxClockSkewMs) return time
  throw new ApiError(
    'InvalidPayload',
    `\`${path}\` must be a time in the past, after 1970`,
  )
}

function prepare(
  botId: string,
  viewer: Viewer,
  input: MessageImport,
  at: number,
  declared: string[] | null,
): Prepared {
  const createdAt = toPastTime('createdAt', input.createdAt)
  const time = createdAt.getTime()
  const change = changeOfTags(input.tags, viewer)
  rejectUndeclared(change, declared, viewer)
  const match = discriminating(input.tags, input.discriminateByTags, viewer)
  const direction = input.userId === botId ? 'outgoing' : 'incoming'
  return {
    at,
    input,
    id: newId('message', time),
    createdAt,
    direction,
    tags: change.set,
    match,
  }
}

/** Returns rows by index in the input. */
async function keep(
  db: Db,
  botId: string,
  messages: Prepared[],
): Promise<Map<number, MessageRow>> {
  const locks = messages.flatMap(({ match }) => (match ? [toLockKey(botId, match)] : []))
  return withKeysLocked(db, locks, async (locked) => {
    const found = await findKnownMessages(locked, botId, messages)
    // The first of several messages with the same tags is stored; the others get its row.
    const fresh = new Map<string, Prepared>()
    const toName = (one: Prepared) =>
      one.match
        ? JSON.stringify([one.input.conversationId, toLockKey(botId, one.match)])
        : one.id
    for (const one of messages)
      if (!found.has(one.at) && !fresh.has(toName(one))) fresh.set(toName(one), one)
    const stored = await store(locked, botId, [...fresh.values()])
    const getRow = (one: Prepared) =>
      found.get(one.at) ?? stored.get(fresh.get(toName(one))!.id)
    return new Map(
      messages
        .map((one) => [one.at, getRow(one)] as const)
        .filter((entry): entry is [number, MessageRow] => entry[1] !== undefined),
    )
  })
}

/** A message that is looked for by its tags, at its place among others. */
interface WantedByTags {
  at: number
  input: { conversationId: string }
  match: Tags | null
}

/**
 * Finds stored messages: the first with the tags, by the index of tags within conversations
 * (migration 0007).
 */
export async function findKnownMessages(
  db: Db,
  botId: string,
  messages: WantedByTags[],
): Promise<Map<number, MessageRow>> {
  const wanted = messages.flatMap(({ at, input: { conversationId }, match }) =>
    match ? [{ at, conversationId, within: { [conversationId]: match } }] : [],
  )
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<MessageRow & { at: number }>`
    select wanted.at, found.*
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (at int, "conversationId" text,
      within jsonb)
    cross join lateral (
      select * from message m
      where m.bot_id = ${botId} and m.conversation_id = wanted."conversationId"
        and m.tags <> '{}' and jsonb_set('{}', array[m.conversation_id], m.tags) @> wanted.within
      order by m.created_at, m.number limit 1
    ) found`.execute(db)
  return new Map(rows.map(({ at, ...row }) => [at, row]))
}

/** Numbers and stores messages and adds participants in one statement. Returns rows by id. */
async function store(
  db: Db,
  botId: string,
  messages: Prepared[],
): Promise<Map<string, MessageRow>> {
  const rows = messages.map(({ input, id, createdAt, direction, tags }) => ({
    id,
    conversation_id: input.conversationId,
    user_id: input.userId,
    type: input.type,
    payload: input.payload,
    direction,
    tags,
    created_at: createdAt,
    updated_at: createdAt,
  }))
  const stored = await storePast(db, botId, rows, 'import')
  return new Map(stored.map((row) => [row.id, row]))
}

type PastMessage = Omit<MessageRow, 'bot_id' | 'number' | 'origin'>

/**
 * Writes past messages. An `import` is an activity of the conversation and makes the authors
 * participants. A `copy` keeps the conversation as it was on the other server: its last activity,
 * its participants, and messages of deleted users; it skips messages that exist.
 */
export async function storePast(
  db: Db,
  botId: string,
  messages: PastMessage[],
  mode: 'import' | 'copy',
): Promise<MessageRow[]> {
  if (messages.length === 0) return []
  const input = messages.map((row) => ({
    ...row,
    words: wordsOfMessage(botId, row.payload),
  }))
  const isCopy = mode === 'copy'
  const { rows } = await sql<MessageRow>`
    with input as (
      select * from rows from (jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as
        (id text, conversation_id text, user_id text, type text, payload jsonb, direction text, tags jsonb,
          created_at timestamptz, updated_at timestamptz, words text[])) with ordinality
      as input (id, conversation_id, user_id, type, payload, direction, tags, created_at, updated_at,
        words, ord)
    ),
    accepted as (select input.* from input where ${
      isCopy
        ? sql`not exists (select from message m where m.bot_id = ${botId} and m.id = input.id)`
        : sql`exists (select from "user" u where u.bot_id = ${botId} and u.id = input.user_id)`
    }),
    counted as (select conversation_id, count(*) as n from accepted group by conversation_id
      order by conversation_id),
    numbered as (
      update conversation c set
        first_number = c.first_number - n,
        message_count = c.message_count + n,
        updated_at = ${
          isCopy
            ? sql`c.updated_at`
            : sql`greatest(date_trunc('milliseconds', clock_timestamp()), c.updated_at)`
        }
      from counted where c.bot_id = ${botId} and c.id = counted.conversation_id
      returning c.bot_id, c.id, c.first_number
    ),
    joined as (
      insert into participant (bot_id, conversation_id, user_id)
      select distinct c.bot_id, c.id, a.user_id from accepted a join numbered c on c.id = a.conversation_id
        where ${!isCopy}::boolean
        on conflict do nothing
    ),
    stored as (
      insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload,
        tags, created_at, updated_at)
      select c.bot_id, a.id, c.id, a.user_id, c.first_number - 1 + row_number() over (partition by c.id
        order by a.ord), a.direction, a.type, a.payload, a.tags,
        a.created_at, a.updated_at
      from accepted a join numbered c on c.id = a.conversation_id
      returning *
    ),
    worded as (select s.*, i.words from stored s join input i on i.id = s.id),
    searchable as (${sql.raw(writeWords('worded'))})
    select * from stored`.execute(db)
  return rows
}
