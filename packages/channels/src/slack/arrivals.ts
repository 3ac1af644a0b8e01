// What Slack sends, by both ways, as what arrives at the bot.
import type { Arrival, Context } from '../channel.ts'
import { type Content, readFile } from './files.ts'
import { readText } from './formatting.ts'
import { findUser } from './profiles.ts'
import type { EventCallback, SlackEvent, SlackMessage } from './types.ts'

/** Messages without a subtype, and those with these, are of people. */
const messageSubtypes = new Set(['file_share', 'me_message', 'thread_broadcast'])

/** Returns what an event says to the bot; nothing for one that is not for it. */
export async function toArrivals(
  context: Context,
  { event, authorizations = [] }: EventCallback,
): Promise<Arrival[]> {
  const { type, subtype, channel } = event
  if (/^reaction_(?:added|removed)$/.test(type)) return toReaction(context, event)
  if ((type !== 'message' && type !== 'app_mention') || !channel) return []
  if (subtype === 'message_changed') return toChange(context, event, channel)
  if (subtype === 'message_deleted')
    return toDeletion(context, event.previous_message, channel)
  if (subtype !== undefined && !messageSubtypes.has(subtype)) return []
  return toMessage(context, event, channel, authorizations[0]?.user_id)
}

type Conversation = Arrival['conversation']

export function toConversation(channel: string, thread?: string): Conversation {
  if (thread)
    return { channel: 'thread', tags: { id: channel, thread }, by: ['id', 'thread'] }
  return {
    channel: channel.startsWith('D') ? 'dm' : 'channel',
    tags: { id: channel },
    by: ['id'],
  }
}

interface Place {
  conversation: Conversation
  isFork: boolean
}

/** Where the bot gets a message, and thereby where it answers. */
export function findPlaces(
  { configuration }: Pick<Context, 'configuration'>,
  channel: string,
  { ts, thread_ts }: { ts?: string | undefined; thread_ts?: string | undefined },
): Place[] {
  const here = { conversation: toConversation(channel, thread_ts), isFork: false }
  const { location = 'channel' } = (configuration.replyBehaviour ?? {}) as {
    location?: string
  }
  if (here.conversation.channel !== 'channel' || location === 'channel' || !ts)
    return [here]
  const thread = toConversation(channel, ts)
  thread.tags.isBotReplyThread = 'true'
  const fork = { conversation: thread, isFork: true }
  return location === 'thread' ? [fork] : [here, fork]
}

async function toMessage(
  context: Context,
  message: SlackMessage,
  channel: string,
  botUserId: string | undefined,
): Promise<Arrival[]> {
  const { user: userId, bot_id, username } = message
  if (!userId || bot_id) return []
  const mentionsBot =
    botUserId !== undefined && (message.text ?? '').includes(`<@${botUserId}>`)
  if (!mentionsBot && needsMention(context) && !channel.startsWith('D')) return []
  const [user, contents] = await Promise.all([
    findUser(context, userId, username),
    readContents(context, message),
  ])
  const tags = { userId, channelId: channel, ...(mentionsBot && { mentionsBot: 'true' }) }
  return findPlaces(context, channel, message).flatMap(({ conversation, isFork }) =>
    contents.map((content, i) => ({
      conversation,
      user,
      message: toTagged(content, {
        ts: toPartId(message.ts, contents.length - 1 - i),
        ...tags,
        ...(isFork && { forkedToThread: 'true' }),
      }),
    })),
  )
}

function needsMention({ configuration }: Context): boolean {
  const { onlyOnBotMention } = (configuration.replyBehaviour ?? {}) as Record<
    string,
    unknown
  >
  return onlyOnBotMention === true
}

/** The text, or the last file, has the timestamp of the message: it is the one that edits change. */
const toPartId = (ts: string, part: number) => (part === 0 ? ts : `${ts}.${part}`)

export function toTagged(
  content: Content,
  tags: Record<string, string>,
): NonNullable<Arrival['message']> {
  const by = ['ts', 'channelId', ...(tags.forkedToThread ? ['forkedToThread'] : [])]
  return { ...content, tags, by }
}

async function readContents(context: Context, message: SlackMessage): Promise<Content[]> {
  const contents: Content[] = []
  for (const file of message.files ?? []) contents.push(await readFile(context, file))
  const text = readText(message)
  if (text !== '') contents.push({ type: 'text', payload: { text } })
  return contents
}

/** Slack says also that it has added a preview of a link, which is no edit. */
async function toChange(
  context: Context,
  { message, previous_message: previous, event_ts }: SlackEvent,
  channel: string,
): Promise<Arrival[]> {
  if (message?.subtype === 'tombstone') return toDeletion(context, previous, channel)
  if (!message?.user || message.bot_id || message.text === previous?.text) return []
  const user = await findUser(context, message.user)
  const payload = {
    messageTags: { ts: message.ts, channelId: channel },
    payload: { text: readText(message) },
    userTags: user.tags,
    eventTs: event_ts,
  }
  const event = { type: 'messageEdited', payload, once: true }
  return findPlaces(context, channel, message).map(({ conversation }) => ({
    conversation,
    user,
    event,
  }))
}

async function toDeletion(
  context: Context,
  message: SlackMessage | undefined,
  channel: string,
): Promise<Arrival[]> {
  if (!message?.user || message.bot_id) return []
  const user = await findUser(context, message.user)
  const messageTags = { ts: message.ts, channelId: channel }
  const payload = { messageTags, userTags: user.tags }
  const event = { type: 'messageDeleted', payload, once: true }
  return findPlaces(context, channel, message).map(({ conversation }) => ({
    conversation,
    user,
    event,
  }))
}

async function toReaction(
  context: Context,
  { type, user: userId, reaction, item, event_ts }: SlackEvent,
): Promise<Arrival[]> {
  if (!userId || item?.type !== 'message' || !item.channel || !item.ts) return []
  const { channel, ts } = item
  const user = await findUser(context, userId)
  const targets = {
    dm: { id: userId },
    channel: { id: channel },
    thread: { id: channel, thread: ts },
  }
  const payload = {
    messageTags: { ts, channelId: channel },
    reaction: reaction ?? '',
    userTags: user.tags,
    targets,
    eventTs: event_ts,
  }
  const name = type === 'reaction_added' ? 'reactionAdded' : 'reactionRemoved'
  const event = { type: name, payload, once: true }
  return [{ conversation: toConversation(channel), user, event }]
}
