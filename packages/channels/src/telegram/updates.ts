// Updates of Telegram, as they arrive by both ways, and what they say.
import type { Arrival, Context } from '../channel.ts'
import { findPressed } from '../text/choices.ts'
import { call, download } from './api.ts'
import { writeEntities } from './entities.ts'
import type {
  TelegramChat,
  TelegramMessage,
  TelegramUpdate,
  TelegramUser,
} from './types.ts'

/** The kinds of update that the channel asks for; Telegram remembers them until it is asked again. */
export const updateKinds = [
  'message',
  'edited_message',
  'channel_post',
  'callback_query',
  'message_reaction',
]

/** Returns what an update says to the bot; nothing for one that is not for it. */
export async function toArrivals(
  context: Context,
  update: TelegramUpdate,
): Promise<Arrival[]> {
  const {
    message,
    edited_message: edited,
    callback_query: query,
    message_reaction,
  } = update
  const eventId = String(update.update_id)
  if (message) return toMessage(context, message)
  if (edited?.from) return [toEdit(edited, edited.from, eventId)]
  if (query?.message) return toPress(context, query.message, query)
  if (message_reaction?.user)
    return toReactions(message_reaction, message_reaction.user, eventId)
  return []
}

/** Updates that follow each other are stored together. One with a file is alone: those before it do not wait. */
export function splitAtFiles(updates: TelegramUpdate[]): TelegramUpdate[][] {
  const batches: TelegramUpdate[][] = []
  let hadFile = true
  for (const update of updates) {
    const hasFile = update.message !== undefined && update.message.text === undefined
    if (hadFile || hasFile) batches.push([])
    batches.at(-1)!.push(update)
    hadFile = hasFile
  }
  return batches
}

const toIds = (chat: TelegramChat, topicId?: number) => ({
  id: topicId === undefined ? String(chat.id) : `${chat.id}:${topicId}`,
  chatId: String(chat.id),
})

function toConversation(
  chat: TelegramChat,
  from: TelegramUser,
  topicId?: number,
): Arrival['conversation'] {
  const tags = {
    ...toIds(chat, topicId),
    ...(topicId !== undefined && { topicId: String(topicId) }),
    chatType: chat.type,
    fromUserId: String(from.id),
    fromUserName: toName(from),
    ...(from.username && { fromUserUsername: from.username }),
  }
  return { channel: 'channel', tags, by: ['id'] }
}

const toName = ({ first_name, last_name, username }: TelegramUser) =>
  [first_name, last_name].filter(Boolean).join(' ') || username || 'Unknown'

const toUser = (from: TelegramUser): Arrival['user'] => ({
  tags: {
    id: String(from.id),
    ...(from.username && { username: from.username }),
    ...(from.language_code && { language: from.language_code }),
  },
  by: ['id'],
  name: toName(from),
})

const findTopic = ({ is_topic_message, message_thread_id }: TelegramMessage) =>
  is_topic_message ? message_thread_id : undefined

async function toMessage(context: Context, message: TelegramMessage): Promise<Arrival[]> {
  const { chat, from } = message
  if (!from || from.is_bot) return []
  const contents = await readContents(context, message)
  return contents.map((content, i) => ({
    conversation: toConversation(chat, from, findTopic(message)),
    user: toUser(from),
    message: {
      ...content,
      payload: { ...content.payload, ...toReply(message) },
      tags: { id: toPartId(message.message_id, i), chatId: String(chat.id) },
      by: ['id', 'chatId'],
    },
  }))
}

/** A picture with a text below it is two messages of the bot, and one of Telegram. */
const toPartId = (id: number, part: number) => (part === 0 ? String(id) : `${id}.${part}`)

const toReply = ({ reply_to_message: original, quote }: TelegramMessage) =>
  original && !original.forum_topic_created
    ? {
        replyTo: {
          id: String(original.message_id),
          text: quote?.text ?? original.text ?? original.caption ?? '',
        },
      }
    : {}

interface Content {
  type: string
  payload: Record<string, unknown>
}

const toTextContent = (text: string): Content => ({ type: 'text', payload: { text } })

async function readContents(
  context: Context,
  message: TelegramMessage,
): Promise<Content[]> {
  const { text, entities, caption, caption_entities, location, venue, contact } = message
  if (text !== undefined) return [toTextContent(writeEntities(text, entities))]
  if (location) return [toLocation(location, venue)]
  if (contact) return [toContact(contact)]
  const media = await readMedia(context, message)
  const below = caption ? [toTextContent(writeEntities(caption, caption_entities))] : []
  return [...media, ...below]
}

function toLocation(
  { latitude, longitude }: NonNullable<TelegramMessage['location']>,
  venue: TelegramMessage['venue'],
): Content {
  const named = venue && { title: venue.title, address: venue.address }
  return { type: 'location', payload: { latitude, longitude, ...named } }
}

/** A separate type would reach no bot: the text says it, and fields have its parts. */
function toContact(contact: NonNullable<TelegramMessage['contact']>): Content {
  const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ')
  const text = [name, contact.phone_number].filter(Boolean).join(', ')
  return {
    type: 'text',
    payload: { text, contact: { name, phone: contact.phone_number } },
  }
}

async function readMedia(context: Context, message: TelegramMessage): Promise<Content[]> {
  const { photo, voice, audio, video, video_note, animation, document, sticker } = message
  const largest = photo?.toSorted((a, b) => b.width * b.height - a.width * a.height)[0]
  if (largest) return [await toMedia(context, 'image', largest, 'image/jpeg')]
  if (voice)
    return [await toMedia(context, 'audio', voice, 'audio/ogg', { isVoice: true })]
  if (audio) return [await toMedia(context, 'audio', audio, 'audio/mpeg')]
  const film = animation ?? video ?? video_note
  if (film) return [await toMedia(context, 'video', film, 'video/mp4')]
  if (document)
    return [await toMedia(context, 'file', document, 'application/octet-stream')]
  if (sticker?.is_animated || sticker?.is_video)
    return [toTextContent(sticker.emoji ?? '🙂')]
  if (sticker)
    return [await toMedia(context, 'image', sticker, 'image/webp', { isSticker: true })]
  return []
}

interface MediaFile {
  file_id: string
  file_unique_id: string
  file_name?: string
  mime_type?: string
}

/** Telegram's own URL would show the bot's token, and ends after an hour. */
async function toMedia(
  context: Context,
  type: 'image' | 'audio' | 'video' | 'file',
  file: MediaFile,
  contentType: string,
  details: Record<string, unknown> = {},
): Promise<Content> {
  const loaded = await download(context, file.file_id)
  if (!loaded)
    return toTextContent(
      `[${file.file_name ?? type}: larger than Telegram gives to bots]`,
    )
  const name = file.file_name ?? loaded.path.split('/').at(-1) ?? type
  const url = await context.host.storeFile({
    key: `telegram/${file.file_unique_id}/${name}`,
    name,
    contentType: file.mime_type ?? contentType,
    content: loaded.content,
  })
  const title = file.file_name && { title: file.file_name }
  return { type, payload: { [`${type}Url`]: url, ...title, ...details } }
}

function toEdit(message: TelegramMessage, from: TelegramUser, eventId: string): Arrival {
  const { chat, message_id, text, entities, caption, caption_entities } = message
  const changed = writeEntities(text ?? caption ?? '', entities ?? caption_entities)
  return {
    conversation: toConversation(chat, from, findTopic(message)),
    user: toUser(from),
    event: {
      type: 'messageEdited',
      payload: {
        messageTags: { id: String(message_id), chatId: String(chat.id) },
        payload: { text: changed },
        userTags: toUser(from).tags,
        eventId,
      },
      once: true,
    },
  }
}

/** A pressed button says its label, and has the value that the bot gave it. */
async function toPress(
  context: Context,
  message: TelegramMessage,
  query: NonNullable<TelegramUpdate['callback_query']>,
): Promise<Arrival[]> {
  // Ends the waiting of the button. It may be too late for that, which changes nothing.
  await call(context, 'answerCallbackQuery', { callback_query_id: query.id }).catch(
    () => {},
  )
  const pressed = await findPressed(context.host, query.data ?? '')
  const buttons = message.reply_markup?.inline_keyboard?.flat() ?? []
  const label = buttons.find(({ callback_data }) => callback_data === query.data)?.text
  const payload = pressed
    ? { text: pressed.label, value: pressed.value }
    : label !== undefined && { text: label }
  if (!payload) return []
  const { chat } = message
  return [
    {
      conversation: toConversation(chat, query.from, findTopic(message)),
      user: toUser(query.from),
      message: {
        type: 'text',
        payload,
        tags: { id: `press-${query.id}`, chatId: String(chat.id) },
        by: ['id', 'chatId'],
      },
    },
  ]
}

function toReactions(
  reaction: NonNullable<TelegramUpdate['message_reaction']>,
  from: TelegramUser,
  eventId: string,
): Arrival[] {
  const { chat, message_id, old_reaction, new_reaction } = reaction
  const before = old_reaction.map(toEmoji)
  const after = new_reaction.map(toEmoji)
  const toEvent =
    (type: string) =>
    (emoji: string): Arrival => ({
      conversation: toConversation(chat, from),
      user: toUser(from),
      event: {
        type,
        payload: {
          messageTags: { id: String(message_id), chatId: String(chat.id) },
          reaction: emoji,
          userTags: toUser(from).tags,
          eventId,
        },
        once: true,
      },
    })
  return [
    ...before.filter((one) => !after.includes(one)).map(toEvent('reactionRemoved')),
    ...after.filter((one) => !before.includes(one)).map(toEvent('reactionAdded')),
  ]
}

const toEmoji = ({
  emoji,
  custom_emoji_id,
}: {
  emoji?: string
  custom_emoji_id?: string
}) => emoji ?? `custom:${custom_emoji_id ?? ''}`
