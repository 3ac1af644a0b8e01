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
  const toPlace = async () => toIds(roomId, sender, await findName(context, sender))
  if (type === 'm.room.message' || type === 'm.sticker') {
    const { rel_type, event_id: original } = content['m.relates_to'] ?? {}
    if (rel_type === 'm.replace' && original)
      return [{ ...(await toPlace()), event: toEdit(roomId, original, event) }]
    return toMessages(context, await toPlace(), roomId, event)
  }
  const change = await toChange(context, roomId, event)
  return change ? [{ ...(await toPlace()), event: change }] : []
}

type Place = Pick<Arrival, 'conversation' | 'user'>

const toIds = (roomId: string, userId: string, name = userId): Place => ({
  conversation: { channel: 'channel', tags: { id: roomId }, by: ['id'] },
  user: { tags: { id: userId }, by: ['id'], name: name.slice(0, 200) },
})

async function toMessages(
  context: Context,
  place: Place,
  roomId: string,
  event: MatrixEvent,
): Promise<Arrival[]> {
  const relation = event.content?.['m.relates_to']
  // Clients without threads show a message of one as a reply to the message before it.
  const replyTo = relation?.is_falling_back ? undefined : relation?.['m.in_reply_to']?.event_id
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

const toEdit = (roomId: string, id: string, { sender, content }: MatrixEvent): Change => ({
  type: 'messageEdited',
  payload: {
    messageTags: { id, roomId },
    payload: { text: readText(content?.['m.new_content'] ?? content ?? {}) },
    userTags: { id: sender },
  },
  once: true,
})

/** By the ids of their events, because a taken-back reaction names its event only. */
const reactions = new Map<string, { id: string; reaction: string }>()
const maxReactions = 10_000

async function toChange(
  context: Context,
  roomId: string,
  event: MatrixEvent,
): Promise<Change | null> {
  const { type, event_id, sender, content, redacts = content?.redacts } = event
  const userTags = { id: sender }
  const toReaction = (name: string, { id, reaction }: { id: string; reaction: string }) => ({
    type: name,
    payload: { messageTags: { id, roomId }, reaction, userTags },
    once: true,
  })
  const { event_id: id, key: reaction } = content?.['m.relates_to'] ?? {}
  if (type === 'm.reaction' && id && reaction) {
    keepReaction(event_id, { id, reaction })
    return toReaction('reactionAdded', { id, reaction })
  }
  if (type !== 'm.room.redaction' || typeof redacts !== 'string') return null
  const removed = reactions.get(redacts)
  if (removed) return toReaction('reactionRemoved', removed)
  if (!(await isMessage(context, roomId, redacts))) return null
  const payload = { messageTags: { id: redacts, roomId }, userTags }
  return { type: 'messageDeleted', payload, once: true }
}

function keepReaction(eventId: string, reaction: { id: string; reaction: string }): void {
  reactions.set(eventId, reaction)
  const oldest = reactions.keys().next().value
  if (reactions.size > maxReactions && oldest !== undefined) reactions.delete(oldest)
}

/** A deleted event keeps its type. */
async function isMessage(context: Context, roomId: string, eventId: string): Promise<boolean> {
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

/** People have read all messages until the time. */
export function toReceipts(ownId: string, roomId: string, { ephemeral }: JoinedRoom): Arrival[] {
  const receipts = (ephemeral?.events ?? []).filter(({ type }) => type === 'm.receipt')
  const all = receipts.flatMap(({ content }) => Object.values(content ?? {}))
  const readers = all.flatMap((one) =>
    Object.entries((one as { 'm.read'?: Record<string, { ts?: number }> })['m.read'] ?? {}),
  )
  return readers.flatMap(([userId, { ts }]): Arrival[] => {
    if (userId === ownId || typeof ts !== 'number') return []
    // The clock of the homeserver may be fast.
    const until = new Date(Math.min(ts, Date.now()))
    const { conversation, user } = toIds(roomId, userId)
    const { name: _, ...known } = user
    return [{ conversation, user: known, receipt: { state: 'read', tags: {}, until } }]
  })
}
