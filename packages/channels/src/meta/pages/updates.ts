// Notifications of Messenger and Instagram, and what they say to the bot. One may have several.
import type { Arrival, Context } from '../../channel.ts'
import { createProfiles, type Profile, toName } from '../../profiles.ts'
import { findPressed } from '../../text/choices.ts'
import { callGraph } from '../graph.ts'
import type { Entry } from '../webhook.ts'
import { type Content, readAttachment } from './attachments.ts'
import type { Messaging, PageMessage, PageProvider } from './types.ts'

/** In the order of the notification, so that messages of a chat keep theirs. */
export async function toArrivals(
  context: Context,
  provider: PageProvider,
  entries: Entry[],
): Promise<Arrival[]> {
  const arrivals: Arrival[] = []
  for (const item of entries.flatMap(({ messaging }) =>
    Array.isArray(messaging) ? messaging : [],
  ))
    arrivals.push(...(await readItem(context, provider, item)))
  return arrivals
}

async function readItem(
  context: Context,
  provider: PageProvider,
  item: Messaging | null,
): Promise<Arrival[]> {
  const { sender, recipient, message } = item ?? {}
  if (!item || !sender?.id || !recipient?.id) return []
  // The account's own messages come back.
  if (message?.is_echo || message?.is_self) return []
  const place = toPlace(provider, sender.id, recipient.id)
  const event = toEvent(item, place)
  if (event) return [{ ...place, event }]
  const receipts = toReceipts(item)
  if (receipts) return receipts.map((receipt) => ({ ...place, receipt }))
  const contents = message
    ? await readMessage(context, provider, message)
    : await readPostback(context, item)
  if (contents.length === 0) return []
  const { name, pictureUrl } = await findProfile(context, provider, sender.id)
  const user = { ...place.user, ...(name && { name }), ...(pictureUrl && { pictureUrl }) }
  const id = message?.mid ?? item.postback?.mid ?? `press-${sender.id}-${item.timestamp}`
  return contents.map(({ type, payload }, i) => ({
    conversation: place.conversation,
    user,
    message: {
      type,
      payload: { ...payload, ...toReply(message) },
      tags: {
        id: i === 0 ? id : `${id}.${i}`,
        senderId: sender.id,
        recipientId: recipient.id,
      },
      by: ['id'],
    },
  }))
}

type Place = Pick<Arrival, 'conversation' | 'user'>

const toPlace = (
  provider: PageProvider,
  senderId: string,
  recipientId: string,
): Place => ({
  conversation: {
    channel: 'channel',
    tags: { id: senderId, ...provider.toConversationTags({ senderId, recipientId }) },
    by: ['id'],
  },
  user: { tags: { id: senderId }, by: ['id'] },
})

function toEvent(item: Messaging, { user }: Place): Arrival['event'] | null {
  const { reaction, message, message_edit: edit, timestamp } = item
  const eventTs = timestamp === undefined ? '' : String(timestamp)
  const toPayload = (id: string) => ({
    messageTags: { id },
    userTags: user.tags,
    eventTs,
  })
  if (reaction) {
    const type = reaction.action === 'unreact' ? 'reactionRemoved' : 'reactionAdded'
    const emoji = reaction.emoji ?? reaction.reaction ?? ''
    return { type, payload: { ...toPayload(reaction.mid), reaction: emoji }, once: true }
  }
  if (message?.is_deleted)
    return { type: 'messageDeleted', payload: toPayload(message.mid), once: true }
  if (!edit) return null
  const payload = { ...toPayload(edit.mid), payload: { text: edit.text ?? '' } }
  return { type: 'messageEdited', payload, once: true }
}

/** A watermark stands for all messages until then. */
function toReceipts({
  delivery,
  read,
}: Messaging): NonNullable<Arrival['receipt']>[] | null {
  const [state, found] = read
    ? (['read', read] as const)
    : (['delivered', delivery] as const)
  if (!found) return null
  const { mids, mid, watermark } = found as {
    mids?: string[]
    mid?: string
    watermark?: number
  }
  const id = mid ?? mids?.at(-1)
  if (id !== undefined) return [{ state, tags: { id } }]
  const until = new Date(Number(watermark))
  return Number.isNaN(until.getTime()) ? [] : [{ state, tags: {}, until }]
}

async function readMessage(
  context: Context,
  provider: PageProvider,
  message: PageMessage,
): Promise<Content[]> {
  const { mid, text, quick_reply, attachments = [], is_unsupported } = message
  const contents: Content[] = []
  for (const [i, attachment] of attachments.entries())
    contents.push(
      await readAttachment(context, `${provider.name}/${mid}/${i}`, attachment),
    )
  if (quick_reply) contents.push(await toPressed(context, quick_reply.payload, text))
  else if (text) contents.push({ type: 'text', payload: { text } })
  if (contents.length === 0 && is_unsupported) {
    const unknown = `[a message of a kind that ${provider.title} does not give to bots]`
    contents.push({ type: 'text', payload: { text: unknown } })
  }
  return contents
}

const readPostback = async (
  context: Context,
  { postback }: Messaging,
): Promise<Content[]> =>
  postback ? [await toPressed(context, postback.payload ?? '', postback.title)] : []

/** A pressed button says its label, and has the value that the bot gave it. */
async function toPressed(
  { host }: Context,
  data: string,
  label = data,
): Promise<Content> {
  const pressed = await findPressed(host, data)
  const text = pressed?.label ?? (label || '[button]')
  return { type: 'text', payload: { text, value: pressed?.value ?? data } }
}

function toReply({ reply_to }: Partial<PageMessage> = {}) {
  const id = reply_to?.mid ?? reply_to?.story?.id
  const url = reply_to?.story?.url
  return id ? { replyTo: { id, ...(url && { url }) } } : {}
}

const profiles = createProfiles()

function findProfile(
  context: Context,
  provider: PageProvider,
  id: string,
): Promise<Profile> {
  const { botId, alias } = context.installation
  return profiles(`${botId}/${alias}/${id}`, async () => {
    const answer = await callGraph(
      context,
      provider.toGraph(context.configuration),
      `/${encodeURIComponent(id)}`,
      { query: { fields: provider.profileFields }, timeoutMs: 5_000 },
    )
    const name = toName(answer.name) ?? toName(answer.username)
    const pictureUrl = toName(answer.profile_pic)
    return { ...(name && { name }), ...(pictureUrl && { pictureUrl }) }
  })
}
