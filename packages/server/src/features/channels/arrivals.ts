// Stores what arrived from people: user, conversation, and message or event, in one transaction with the
// position of the connection. What arrives again is not stored again.
import type { AnonymousArrival, Arrival, StoredMessage } from '@botstead/channels'
import { findOption, readOptions } from '@botstead/channels'
import { ApiError } from '@botstead/contract'
import { storableText } from '@botstead/lib'
import { sql } from 'kysely'
import { appendBotLogs } from '../../core/bots/index.ts'
import type { Db } from '../../core/db/index.ts'
import {
  conversationStore,
  createEvent,
  hasTags,
  initializeIncoming,
  type KnownMessage,
  type KnownPlace,
  knownIncoming,
  receipts,
} from '../../core/messaging/index.ts'
import { noteReceived } from './activity.ts'
import { noteArrivalAddresses, toNewUser } from './arrival-addresses.ts'
import { withAlias } from './channel-host.ts'
import type { ArrivalServices, ChannelDeps } from './deps.ts'

interface Receiver {
  botId: string
  alias: string
  /** The channel shows no buttons: people answer by the numbers of options. */
  hasNoButtons: boolean
}

type AnyArrival = Arrival | AnonymousArrival

/** A rule of the bot rejects one that arrived; null: one of several. */
class Rejected extends Error {
  readonly arrival: AnyArrival | null
  readonly reason: ApiError
  constructor(arrival: AnyArrival | null, reason: ApiError) {
    super(reason.message)
    this.arrival = arrival
    this.reason = reason
  }
}

const isRejection = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code < 500

/**
 * `save` stores the position in the same transaction. What a rule of the bot rejects is left out, and the
 * bot's log says so: it would be rejected each time, and stop all that follow. All others are stored
 * together, because a crash between them would store an event again.
 */
export async function storeArrivals(
  deps: ChannelDeps,
  receiver: Receiver,
  arrivals: AnyArrival[],
  save: (db: Db) => Promise<void> = async () => {},
): Promise<void> {
  const storable = arrivals.map(toStorable)
  for (const arrival of storable) await noteArrivalAddresses(deps, receiver, arrival)
  const rejected = new Map<AnyArrival, ApiError>()
  let isOneByOne = false
  for (let isStored = false; !isStored; ) {
    const accepted = storable.filter((one) => !rejected.has(one))
    isStored = await storeTogether(deps, receiver, accepted, { save, isOneByOne }).then(
      () => true,
      (error) => {
        if (!(error instanceof Rejected)) throw error
        if (error.arrival) rejected.set(error.arrival, error.reason)
        else isOneByOne = true
        return false
      },
    )
  }
  for (const reason of rejected.values()) await logRejected(deps, receiver, reason)
  await logFailures(
    deps,
    receiver,
    storable.filter((one) => !rejected.has(one)),
  )
}

/** Stores all, or nothing. Throws Rejected. */
const storeTogether = (
  deps: ChannelDeps,
  receiver: Receiver,
  arrivals: AnyArrival[],
  { save, isOneByOne }: { save: (db: Db) => Promise<void>; isOneByOne: boolean },
): Promise<void> =>
  deps.inTransaction(async (inside) => {
    await storeInOrder(inside, receiver, arrivals, isOneByOne)
    if (arrivals.some(({ message }) => message)) await noteReceived(inside.db, receiver)
    await save(inside.db)
  })

const logRejected = (
  deps: ChannelDeps,
  { botId, alias }: Receiver,
  { message }: ApiError,
) =>
  appendBotLogs(deps, botId, [
    {
      at: new Date(),
      level: 'error',
      message: `A message of ${alias} could not be stored: ${message}`,
    },
  ])

/** As long as a body of the Chat API. */
const maxTextLength = 1_000_000

/** People can write characters that PostgreSQL cannot store: NUL, and halves of others. */
function toStorable<T>(value: T): T {
  if (typeof value === 'string') return storableText(value, maxTextLength) as T
  if (Array.isArray(value)) return value.map(toStorable) as T
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [toStorable(name), toStorable(one)]),
  ) as T
}

async function logFailures(
  deps: ChannelDeps,
  { botId, alias }: Receiver,
  arrivals: AnyArrival[],
): Promise<void> {
  const lines = arrivals.flatMap(({ failure }) => {
    const message = `A message of ${alias} was not delivered: ${failure}`
    return failure === undefined
      ? []
      : [{ at: new Date(), level: 'error' as const, message }]
  })
  if (lines.length > 0) await appendBotLogs(deps, botId, lines)
}

type MessageArrival = Arrival & { message: NonNullable<Arrival['message']> }

/** Only a message, and its text cannot mean an option. */
const isPlain = ({ hasNoButtons }: Receiver, { message, event, receipt }: AnyArrival) =>
  message !== undefined && !event && !receipt && !hasNoButtons

/**
 * Messages of people who have written before share statements, unless `isOneByOne`; all others are stored one
 * after another. Throws Rejected.
 */
async function storeInOrder(
  inside: ArrivalServices,
  receiver: Receiver,
  arrivals: AnyArrival[],
  isOneByOne: boolean,
): Promise<void> {
  const plain = arrivals.filter(
    (one): one is MessageArrival => !isOneByOne && isPlain(receiver, one),
  )
  const places = await findPlaces(inside, receiver, plain)
  let run = new Map<string, KnownMessage>()
  const endRun = async () => {
    if (run.size > 0) await postRun(inside, receiver, [...run.values()])
    run = new Map()
  }
  for (const arrival of arrivals) {
    const place = places.get(arrival)
    const { message } = arrival
    if (!place || !message) {
      await endRun()
      await storeArrival(inside, receiver, arrival).catch((error) => {
        throw isRejection(error) ? new Rejected(arrival, error) : error
      })
      continue
    }
    const key = JSON.stringify([
      place.conversation.id,
      message.by.map((tag) => message.tags[tag]),
    ])
    if (run.has(key)) await endRun()
    run.set(key, {
      conversationId: place.conversation.id,
      userId: place.user.id,
      ...message,
    })
  }
  await endRun()
}

const postRun = (
  inside: ArrivalServices,
  { botId, alias }: Receiver,
  run: KnownMessage[],
) =>
  knownIncoming.post(inside, botId, alias, run).catch((error) => {
    throw isRejection(error) ? new Rejected(null, error) : error
  })

async function findPlaces(
  { db }: ArrivalServices,
  { botId, alias }: Receiver,
  arrivals: MessageArrival[],
): Promise<Map<AnyArrival, KnownPlace | undefined>> {
  const places = await knownIncoming.findPlaces(
    db,
    botId,
    alias,
    arrivals.map(({ user, conversation: { by, ...conversation } }) => ({
      user: toNewUser(alias, user),
      userBy: user.by,
      conversation: { integration: alias, ...conversation },
      conversationBy: by,
    })),
  )
  return new Map(arrivals.map((arrival, at) => [arrival, places[at]]))
}

async function storeArrival(
  inside: ArrivalServices,
  receiver: Receiver,
  { conversation, user, message, event, receipt, failure }: AnyArrival,
): Promise<void> {
  const { botId, alias } = receiver
  if (!user) return event && storeAnonymous(inside, receiver, conversation, event)
  const found = await initializeIncoming(
    inside,
    botId,
    alias,
    {
      user: { ...toNewUser(alias, user), discriminateByTags: user.by },
      conversation: {
        integration: alias,
        channel: conversation.channel,
        tags: conversation.tags,
        discriminateByTags: conversation.by,
      },
      ...(message && !receiver.hasNoButtons && { message: toInput(message) }),
    },
    { cause: null },
  )
  const place = { conversationId: found.conversation.id, userId: found.user.id }
  if (message && receiver.hasNoButtons) await storeMeant(inside, receiver, place, message)
  if (event) await storeEvent(inside, receiver, place, event)
  if (receipt) await storeReceipt(inside.db, receiver, place, receipt)
  if (event && failure !== undefined)
    await noteFailure(inside, receiver, place, event, failure)
}

/** The provider does not say who it was. */
async function storeAnonymous(
  inside: ArrivalServices,
  receiver: Receiver,
  { channel, tags, by }: Arrival['conversation'],
  event: NonNullable<Arrival['event']>,
): Promise<void> {
  const { botId, alias } = receiver
  const wanted = { integration: alias, channel, tags }
  const { row } = await conversationStore.getOrCreate(inside.db, botId, alias, wanted, by)
  await storeEvent(inside, receiver, { conversationId: row.id }, event)
}

interface Place {
  conversationId: string
  userId: string
}

const toInput = ({ by, ...message }: NonNullable<Arrival['message']>) => ({
  ...message,
  discriminateByTags: by,
})

/** Stores a message with the option that its text means. The conversation has to be known for that. */
async function storeMeant(
  inside: ArrivalServices,
  { botId, alias }: Receiver,
  place: Place,
  message: NonNullable<Arrival['message']>,
): Promise<void> {
  const { payload } = message
  const meant = await findMeant(inside.db, botId, place, payload)
  const input = {
    ...place,
    message: toInput({ ...message, payload: { ...payload, ...meant } }),
  }
  await initializeIncoming(inside, botId, alias, input, { cause: null })
}

/** As many messages of the bot's last turn are read. */
const maxTurn = 5

/**
 * Returns the label and value of the option that a text means, of the last message with options since the
 * person wrote; null if none.
 */
async function findMeant(
  db: Db,
  botId: string,
  { conversationId }: Place,
  { text }: Record<string, unknown>,
): Promise<{ text: string; value: string } | null> {
  if (typeof text !== 'string' || text.length > 200) return null
  const { rows } = await sql<
    Pick<StoredMessage, 'type' | 'payload'> & { direction: string }
  >`
    select type, payload, direction from message
    where bot_id = ${botId} and conversation_id = ${conversationId}
    order by number desc limit ${maxTurn}`.execute(db)
  const written = rows.findIndex(({ direction }) => direction === 'incoming')
  const turn = written < 0 ? rows : rows.slice(0, written)
  const options = turn.map(readOptions).find(({ length }) => length > 0)
  const option = options && findOption(options, text)
  return option ? { text: option.label, value: option.value } : null
}

async function storeEvent(
  inside: ArrivalServices,
  { botId, alias }: Receiver,
  place: Pick<Place, 'conversationId'> & Partial<Place>,
  { type, payload, once }: NonNullable<Arrival['event']>,
): Promise<void> {
  const event = { botId, type: `${alias}:${type}`, payload, ...place }
  if (once && (await hasEvent(inside.db, event))) return
  await createEvent(inside, event)
}

/** Providers repeat soon, so it is among the latest. */
async function hasEvent(
  db: Db,
  {
    botId,
    type,
    payload,
    conversationId,
  }: {
    botId: string
    type: string
    payload: Record<string, unknown>
    conversationId: string
  },
): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select conversation_id, payload from event
      where bot_id = ${botId} and type = ${type} and type <> 'message_created' order by id desc limit 100
    ) latest
    where conversation_id = ${conversationId}
      and payload = ${JSON.stringify(payload)}::jsonb limit 1`.execute(db)
  return rows.length > 0
}

/** The event of a late failure names the message by its tags. */
async function noteFailure(
  { db, hooks }: ArrivalServices,
  { botId, alias }: Receiver,
  { conversationId }: Place,
  { payload: { messageTags = {} } }: NonNullable<Arrival['event']>,
  reason: string,
): Promise<void> {
  const message = await findOwnMessage(
    db,
    botId,
    conversationId,
    withAlias(messageTags as Record<string, string>, alias),
  )
  if (!message) return
  for (const note of hooks.messageDelivered)
    await note(db, { botId, messageId: message.id, tags: message.tags, reason })
}

/** Returns the last message of the bot with these tags. */
async function findOwnMessage(
  db: Db,
  botId: string,
  conversationId: string,
  tags: Record<string, string>,
  until: Date | null = null,
): Promise<{ id: string; tags: Record<string, string> } | undefined> {
  const { rows } = await sql<{ id: string; tags: Record<string, string> }>`
    select id, tags from message where bot_id = ${botId} and conversation_id = ${conversationId}
      and direction = 'outgoing' and ${hasTags(tags)}
      and created_at <= coalesce(${until}::timestamptz, 'infinity')
    order by number desc limit 1`.execute(db)
  return rows[0]
}

/** The bot's message may be gone, or not have its tags yet: then a later receipt says the same. */
async function storeReceipt(
  db: Db,
  { botId, alias }: Receiver,
  place: Place,
  { state, tags, until }: NonNullable<Arrival['receipt']>,
): Promise<void> {
  const own = withAlias(tags, alias)
  const message = await findOwnMessage(db, botId, place.conversationId, own, until)
  if (message)
    await receipts.note(db, { botId, ...place, messageId: message.id }, state === 'read')
}
