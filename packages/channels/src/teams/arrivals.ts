// Activities of Teams, and what they say to the bot.
import type { Arrival, Context } from '../channel.ts'
import { createProfiles, type Profile, toName } from '../profiles.ts'
import { call } from './api.ts'
import { readContents, readText } from './contents.ts'
import { toServiceTags } from './service-urls.ts'
import type { Activity } from './types.ts'

type Place = Pick<Arrival, 'conversation' | 'user'>

const toKey = (activity: Activity, id = activity.id) => ({
  id: String(id),
  conversationId: String(activity.conversation?.id),
})

/** Returns what a verified activity says; nothing for one that is not for the bot. */
export async function toArrivals(
  context: Context,
  activity: Activity,
): Promise<Arrival[]> {
  const place = toPlace(context, activity)
  if (!place) return []
  if (activity.type === 'message') return toMessages(context, activity, place)
  const receipt = toReceipt(activity)
  if (receipt) return [{ ...place, receipt }]
  return toEvents(activity, place).map((event) => ({
    ...place,
    event: { ...event, once: true },
  }))
}

function toPlace(context: Context, activity: Activity): Place | null {
  const { conversation, from, serviceUrl, channelData } = activity
  if (!conversation?.id || !from?.id || !serviceUrl || from.id === activity.recipient?.id)
    return null
  const { conversationType } = conversation
  const tenantId = conversation.tenantId ?? channelData?.tenant?.id
  const tags = {
    id: conversation.id,
    ...toServiceTags(context, serviceUrl),
    ...(conversationType && { conversationType }),
    ...(tenantId && { tenantId }),
  }
  const name = toName(from.name)
  return {
    conversation: { channel: 'channel', tags, by: ['id'] },
    user: { tags: { id: from.id }, by: ['id'], ...(name && { name }) },
  }
}

async function toMessages(
  context: Context,
  activity: Activity,
  place: Place,
): Promise<Arrival[]> {
  if (!activity.id) return []
  const contents = await readContents(context, activity)
  if (contents.length === 0) return []
  const user = await toUser(context, activity, place.user)
  const { replyToId } = activity
  return contents.map(({ type, payload }, i) => ({
    ...place,
    user,
    message: {
      type,
      payload: { ...payload, ...(replyToId && { replyTo: { id: replyToId } }) },
      tags: toKey(activity, toPartId(activity.id, contents.length - 1 - i)),
      by: ['id', 'conversationId'],
    },
  }))
}

/** The text, or the last file, has the id of the activity: it is the one that edits change. */
const toPartId = (id: string | undefined, part: number) =>
  part === 0 ? id : `${id}.${part}`

const profiles = createProfiles()

async function toUser(
  context: Context,
  { serviceUrl = '', conversation }: Activity,
  user: Arrival['user'],
): Promise<Arrival['user']> {
  const { botId, alias } = context.installation
  const { id = '' } = user.tags
  const place = encodeURIComponent(conversation?.id ?? '')
  const path = `/v3/conversations/${place}/members/${encodeURIComponent(id)}`
  const { name, email } = await profiles(`${botId}/${alias}/${id}`, async () =>
    toProfile(await call(context, { serviceUrl }, path, { timeoutMs: 3_000 })),
  )
  return {
    ...user,
    tags: { ...user.tags, ...(email && { email }) },
    ...(name && { name }),
  }
}

function toProfile({ name, email, userPrincipalName }: Record<string, unknown>): Profile {
  const [known, address] = [toName(name), toName(email) ?? toName(userPrincipalName)]
  return { ...(known && { name: known }), ...(address && { email: address }) }
}

/** Ids of messages at Teams are times. */
function toReceipt({ type, name, value }: Activity): Arrival['receipt'] | null {
  if (type !== 'event' || name !== 'application/vnd.microsoft.readReceipt') return null
  const { lastReadMessageId } = (value ?? {}) as Record<string, unknown>
  const until = new Date(Number(lastReadMessageId))
  return Number.isNaN(until.getTime()) ? null : { state: 'read', tags: {}, until }
}

type Event = NonNullable<Arrival['event']>

function toEvents(activity: Activity, { user, conversation }: Place): Event[] {
  const { type, action, timestamp } = activity
  const eventTs = timestamp ?? ''
  const about = { messageTags: toKey(activity), userTags: user.tags, eventTs }
  if (type === 'messageUpdate')
    return [
      {
        type: 'messageEdited',
        payload: { ...about, payload: { text: readText(activity) } },
      },
    ]
  if (type === 'messageDelete') return [{ type: 'messageDeleted', payload: about }]
  if (type === 'messageReaction') return toReactions(activity, about)
  if (type !== 'installationUpdate') return []
  const payload = { conversationTags: conversation.tags, userTags: user.tags, eventTs }
  return [{ type: action?.startsWith('remove') ? 'botRemoved' : 'botAdded', payload }]
}

function toReactions(activity: Activity, about: Record<string, unknown>): Event[] {
  const messageTags = toKey(activity, activity.replyToId)
  const toEvent = (type: string) => (one: { type?: string }) => ({
    type,
    payload: { ...about, messageTags, reaction: String(one?.type ?? '') },
  })
  return [
    ...toList(activity.reactionsRemoved).map(toEvent('reactionRemoved')),
    ...toList(activity.reactionsAdded).map(toEvent('reactionAdded')),
  ]
}

const toList = <T>(value: T[] | undefined): T[] => (Array.isArray(value) ? value : [])
