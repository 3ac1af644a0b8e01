// Webhook events of LINE, and what they say to the bot. One request may have several.
import type { Arrival, Context } from '../channel.ts'
import { createProfiles, type Profile, toName } from '../profiles.ts'
import { findPressed } from '../text/choices.ts'
import { call } from './api.ts'
import { type Content, readContent } from './contents.ts'
import type { LineEvent, LineSource } from './types.ts'

/** LINE's own limit is a minute; the rest is for the way. */
const replyMs = 50_000

/** In the order of the request, so that messages of a chat keep theirs. */
export async function toArrivals(
  context: Context,
  destination: string,
  events: (LineEvent | null)[],
): Promise<Arrival[]> {
  const arrivals: Arrival[] = []
  for (const event of events) {
    // Another app answers in this chat.
    if (!event || event.mode === 'standby') continue
    arrivals.push(...(await readEvent(context, destination, event)))
  }
  return arrivals
}

async function readEvent(
  context: Context,
  destination: string,
  event: LineEvent,
): Promise<Arrival[]> {
  const { source, message, postback, webhookEventId } = event
  const chatId = source?.groupId ?? source?.roomId ?? source?.userId
  if (!source || !chatId) return []
  const place = toPlace(event, source, chatId, destination)
  const change = toChange(event, place, destination)
  if (change) return [{ ...place, event: change }]
  const content = message
    ? await readContent(context, message)
    : postback && (await readPress(context, postback.data))
  const msgId = message?.id ?? (webhookEventId && `press-${webhookEventId}`)
  if (!content || !msgId) return []
  const replyTo = message?.quotedMessageId
  return [
    {
      conversation: place.conversation,
      user: { ...place.user, ...(await findProfile(context, source)) },
      message: {
        type: content.type,
        payload: { ...content.payload, ...(replyTo && { replyTo: { id: replyTo } }) },
        tags: { msgId },
        by: ['msgId'],
      },
    },
  ]
}

type Place = Pick<Arrival, 'conversation' | 'user'>

const toPlace = (
  { replyToken }: LineEvent,
  { type, userId }: LineSource,
  chatId: string,
  destination: string,
): Place => ({
  conversation: {
    channel: 'channel',
    tags: {
      usrId: chatId,
      destId: destination,
      chatType: type,
      ...(replyToken && { replyToken, replyUntil: String(Date.now() + replyMs) }),
    },
    by: ['usrId', 'destId'],
  },
  // In groups, LINE does not name people with old versions.
  user: { tags: { usrId: userId ?? chatId }, by: ['usrId'] },
})

const contactEvents: Record<string, string | undefined> = {
  follow: 'followed',
  join: 'followed',
  unfollow: 'unfollowed',
  leave: 'unfollowed',
}

function toChange(
  { type, unsend, webhookEventId = '' }: LineEvent,
  { user, conversation }: Place,
  destination: string,
): Arrival['event'] | null {
  if (unsend) {
    const payload = { messageTags: { msgId: unsend.messageId }, userTags: user.tags }
    return { type: 'messageDeleted', payload, once: true }
  }
  const contact = Object.hasOwn(contactEvents, type) ? contactEvents[type] : undefined
  const userId = conversation.tags.usrId
  const payload = { destinationId: destination, userId, eventId: webhookEventId }
  return contact ? { type: contact, payload, once: true } : null
}

/** A pressed button says its label, and has the value that the bot gave it. */
async function readPress({ host }: Context, data: string): Promise<Content> {
  const pressed = await findPressed(host, data)
  return {
    type: 'text',
    payload: {
      text: pressed?.label ?? (data || '[button]'),
      value: pressed?.value ?? data,
    },
  }
}

const profiles = createProfiles()

function findProfile(context: Context, source: LineSource): Promise<Profile> {
  const { userId } = source
  if (!userId) return Promise.resolve({})
  const path = toProfilePath(source, encodeURIComponent(userId))
  const { botId, alias } = context.installation
  return profiles(`${botId}/${alias}/${userId}`, async () => {
    const { displayName, pictureUrl } = await call(context, path, { timeoutMs: 5_000 })
    const [name, picture] = [toName(displayName), toName(pictureUrl)]
    return { ...(name && { name }), ...(picture && { pictureUrl: picture }) }
  })
}

/** In groups, people need not be friends of the account. */
function toProfilePath({ groupId, roomId }: LineSource, userId: string): string {
  if (groupId) return `/v2/bot/group/${encodeURIComponent(groupId)}/member/${userId}`
  if (roomId) return `/v2/bot/room/${encodeURIComponent(roomId)}/member/${userId}`
  return `/v2/bot/profile/${userId}`
}
