// Interaction events of Google Chat, and what they say to the bot.
import type { Arrival, Context } from '../channel.ts'
import { toName } from '../profiles.ts'
import { findPressed } from '../text/choices.ts'
import { readContents } from './contents.ts'
import type { ChatEvent, ChatMessage, ChatSpace, ChatUser } from './types.ts'

type Place = Pick<Arrival, 'conversation' | 'user'>

/** Returns what a verified event says; nothing for one that is not for the bot. */
export async function toArrivals(context: Context, event: ChatEvent): Promise<Arrival[]> {
  const { type, message, eventTime = '' } = event
  const user = event.user ?? message?.sender
  const space = event.space ?? message?.space
  if (!space?.name || !user?.name || user.type === 'BOT') return []
  const place = { conversation: toConversation(space, message), user: toUser(user) }
  if (type === 'CARD_CLICKED') return toPress(context, event, place)
  const messages = message ? await toMessages(context, message, place) : []
  const change = type === 'ADDED_TO_SPACE' ? 'botAdded' : 'botRemoved'
  if (type !== 'ADDED_TO_SPACE' && type !== 'REMOVED_FROM_SPACE') return messages
  const payload = { space: space.name, userTags: place.user.tags, eventTime }
  return [{ ...place, event: { type: change, payload, once: true } }, ...messages]
}

const spaceTypes: Record<string, string> = { DM: 'DIRECT_MESSAGE', ROOM: 'SPACE' }

/** In spaces with threads, each thread is a conversation. */
function toConversation(
  space: ChatSpace,
  message?: ChatMessage,
): Arrival['conversation'] {
  const name = String(space.name)
  const type = String(space.spaceType ?? space.type ?? '')
  const spaceType = spaceTypes[type] ?? type
  const hasThreads =
    spaceType === 'SPACE' && space.spaceThreadingState !== 'UNTHREADED_MESSAGES'
  const thread = hasThreads ? message?.thread?.name : undefined
  return {
    channel: 'channel',
    tags: {
      id: thread ?? name,
      space: name,
      ...(thread && { thread }),
      ...(spaceType && { spaceType }),
    },
    by: ['id'],
  }
}

function toUser({ name, displayName, email, avatarUrl }: ChatUser): Arrival['user'] {
  const [known, address, pictureUrl] = [displayName, email, avatarUrl].map(toName)
  return {
    tags: { id: String(name), ...(address && { email: address }) },
    by: ['id'],
    ...(known && { name: known }),
    ...(pictureUrl && { pictureUrl }),
  }
}

async function toMessages(
  context: Context,
  message: ChatMessage,
  place: Place,
): Promise<Arrival[]> {
  const { name, thread, quotedMessageMetadata: quoted } = message
  if (!name) return []
  const contents = await readContents(context, message)
  return contents.map(({ type, payload }, i) => ({
    ...place,
    message: {
      type,
      payload: { ...payload, ...(quoted?.name && { replyTo: { id: quoted.name } }) },
      tags: {
        id: toPartId(name, contents.length - 1 - i),
        ...(thread?.name && { thread: thread.name }),
      },
      by: ['id'],
    },
  }))
}

/** The text, or the last file, has the name of the message. */
const toPartId = (name: string, part: number) => (part === 0 ? name : `${name}/${part}`)

/** A pressed button says its label, and has the value that the bot gave it. */
async function toPress(
  { host }: Context,
  event: ChatEvent,
  place: Place,
): Promise<Arrival[]> {
  const data = readData(event)
  const pressed = await findPressed(host, data)
  if (!pressed) return []
  const { message, eventTime = '' } = event
  return [
    {
      ...place,
      message: {
        type: 'text',
        payload: { text: pressed.label, value: pressed.value },
        tags: {
          id: ['press', message?.name, place.user.tags.id, eventTime, data].join('/'),
        },
        by: ['id'],
      },
    },
  ]
}

function readData({ action, common }: ChatEvent): string {
  const parameters = Array.isArray(action?.parameters) ? action.parameters : []
  const chosen = common?.formInputs?.option?.stringInputs?.value?.[0]
  const data =
    common?.parameters?.option ??
    parameters.find((one) => one?.key === 'option')?.value ??
    chosen
  return typeof data === 'string' ? data : ''
}
