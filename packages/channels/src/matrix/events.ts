// Events of rooms, and what they say to the bot.
import type { Arrival, Context } from '../channel.ts'
import { createProfiles, toName } from '../profiles.ts'
import { call, toPath } from './api.ts'
import { readContents, readText } from './contents.ts'
import { explainEncryption } from './rooms.ts'
import type { JoinedRoom, MatrixEvent } from './types.ts'

/** Returns what an event says; nothing for one that is not for the bot. */
export async function toArrivals(
  context: Context,
  ownId: string,
  roomId: string,
  event: MatrixEvent,
): Promise<Arrival[]> {
  const { type, sender, content } = event
  if (typeof sender !== 'string' || sender === ownId || !content) return []
  if (type === 'm.room.encrypted') await explainEncryption(context, ownId, roomId)
  const toPlace = async (thread?: string) =>
    toIds({ roomId, thread, userId: sender, name: await findName(context, sender) })
  if (type === 'm.room.message' || type === 'm.sticker') {
    const { rel_type, event_id: original } = content['m.relates_to'] ?? {}
    if (rel_type !== 'm.replace' || !original)
      return toMessages(context, await toPlace(readThread(event)), roomId, event)
    const thread = await findThread(context, roomId, original)
    return [{ ...(await toPlace(thread)), event: toEdit(roomId, original, event) }]
  }
  const change = await toChange(context, roomId, event)
  if (!change) return []
  const { thread, ...own } = change
  return [{ ...(await toPlace(thread)), event: own }]
}

type Place = Pick<Arrival, 'conversation' | 'user'>

interface Ids {
  roomId: string
  /** Id of the event that began it. */
  thread?: string | undefined
  userId: string
  name?: string | undefined
}

const toIds = ({ roomId, thread, userId, name = userId }: Ids): Place => ({
  conversation: thread
    ? { channel: 'thread', tags: { id: roomId, thread }, by: ['id', 'thread'] }
    : { channel: 'channel', tags: { id: roomId }, by: ['id'] },
  user: { tags: { id: userId }, by: ['id'], name: name.slice(0, 200) },
})

/** Of Matrix. A longer one could not be stored. */
const maxIdLength = 256

function readThread({ content }: Pick<MatrixEvent, 'content'>): string | undefined {
  const { rel_type, event_id: id } = content?.['m.relates_to'] ?? {}
  return rel_type === 'm.thread' && typeof id === 'string' && id.length < maxIdLength
    ? id
    : undefined
}

/** An edit or a reaction names its message only. A deleted message no longer says its thread. */
async function findThread(context: Context, roomId: string, eventId: string) {
  const path = toPath('rooms', roomId, 'event', eventId)
  return readThread(await call(context, path, { timeoutMs: 5_000 }).catch(() => ({})))
}

async function toMessages(
  context: Context,
  place: Place,
  roomId: string,
  event: MatrixEvent,
): Promise<Arrival[]> {
  const relation = event.content?.['m.relates_to']
  // Clients without threads show a message of one as a reply to the message before it.
  const replyTo = relation?.is_falling_back
    ? undefined
    : relation?.['m.in_reply_to']?.event_id
  const contents = await readContents(context, event)
  return contents.map(({ type, payload }, i) => ({
    ...place,
    message: {
      type,
      payload: { ...payload, ...(replyTo && { replyTo: { id: replyTo } }) },
      tags: { id: i === 0 ? event.event_id : `${event.event_id}#${i}`, roomId },
      by: ['id', 'roomId'],
    },
  }))
}

type Change = NonNullable<Arrival['event']>
type ChangeInThread = Change & { thread?: string | undefined }

const toEdit = (
  roomId: string,
  id: string,
  { event_id, sender, content }: MatrixEvent,
): Change => ({
  type: 'messageEdited',
  payload: {
    messageTags: { id, roomId },
    payload: { text: readText(content?.['m.new_content'] ?? content ?? {}) },
    userTags: { id: sender },
    eventId: event_id,
  },
  once: true,
})

interface Reaction {
  id: string
  reaction: string
  thread: string | undefined
}

/** By the ids of their events, because a taken-back reaction names its event only. */
const reactions = new Map<string, Reaction>()
const maxReactions = 10_000

async function toChange(
  context: Context,
  roomId: string,
  event: MatrixEvent,
): Promise<ChangeInThread | null> {
  const { type, event_id, sender, content, redacts = content?.redacts } = event
  const userTags = { id: sender }
  const toReaction = (name: string, { id, reaction, thread }: Reaction) => ({
    thread,
    type: name,
    payload: { messageTags: { id, roomId }, reaction, userTags, eventId: event_id },
    once: true,
  })
  const { event_id: id, key: reaction } = content?.['m.relates_to'] ?? {}
  if (type === 'm.reaction' && id && reaction) {
    const added = { id, reaction, thread: await findThread(context, roomId, id) }
    keepReaction(event_id, added)
    return toReaction('reactionAdded', added)
  }
  if (type !== 'm.room.redaction' || typeof redacts !== 'string') return null
  const removed = reactions.get(redacts)
  if (removed) return toReaction('reactionRemoved', removed)
  if (!(await isMessage(context, roomId, redacts))) return null
  const payload = { messageTags: { id: redacts, roomId }, userTags }
  return { type: 'messageDeleted', payload, once: true }
}

function keepReaction(eventId: string, reaction: Reaction): void {
  reactions.set(eventId, reaction)
  const oldest = reactions.keys().next().value
  if (reactions.size > maxReactions && oldest !== undefined) reactions.delete(oldest)
}

/** A deleted event keeps its type. */
async function isMessage(
  context: Context,
  roomId: string,
  eventId: string,
): Promise<boolean> {
  const path = toPath('rooms', roomId, 'event', eventId)
  const { type } = await call(context, path).catch(() => ({ type: 'm.room.message' }))
  return type === 'm.room.message' || type === 'm.sticker'
}

const profiles = createProfiles()

async function findName(context: Context, userId: string): Promise<string | undefined> {
  const { botId, alias } = context.installation
  const { name } = await profiles(`${botId}/${alias}/${userId}`, async () => {
    const path = toPath('profile', userId)
    const found = toName((await call(context, path, { timeoutMs: 5_000 })).displayname)
    return { ...(found && { name: found }) }
  })
  return name
}

interface Receipt {
  ts?: number
  /** "main" for messages outside of threads. */
  thread_id?: string
}

/** People have read all messages until the time. */
export function toReceipts(
  ownId: string,
  roomId: string,
  { ephemeral }: JoinedRoom,
): Arrival[] {
  const receipts = (ephemeral?.events ?? []).filter(({ type }) => type === 'm.receipt')
  const all = receipts.flatMap(({ content }) => Object.values(content ?? {}))
  const readers = all.flatMap((one) =>
    Object.entries((one as { 'm.read'?: Record<string, Receipt> })['m.read'] ?? {}),
  )
  return readers.flatMap(([userId, { ts, thread_id }]): Arrival[] => {
    if (userId === ownId || typeof ts !== 'number') return []
    // The clock of the homeserver may be fast.
    const until = new Date(Math.min(ts, Date.now()))
    const thread = thread_id === 'main' ? undefined : thread_id
    const { conversation, user } = toIds({ roomId, thread, userId })
    const { name: _, ...known } = user
    return [{ conversation, user: known, receipt: { state: 'read', tags: {}, until } }]
  })
}
