// What Discord dispatches, as what arrives at the bot.
import type { AnonymousArrival, Arrival, Context } from '../channel.ts'
import { findPressed } from '../text/choices.ts'
import { type Content, readContents } from './contents.ts'
import { interactionTypes, readInteraction, toPrivateId } from './interactions.ts'
import type {
  Component,
  DeletedMessage,
  DiscordMessage,
  DiscordUser,
  Interaction,
  Place,
  Reaction,
} from './types.ts'

/** Of messages that people write: plain, and in reply. */
const messageTypes = [0, 19]

/** A token begins with the id of the bot. */
export const toBotId = ({ botToken }: Context['configuration']) =>
  Buffer.from(String(botToken).split('.')[0] ?? '', 'base64').toString()

type Reader = (
  context: Context,
  data: never,
) => Promise<Arrival[]> | (Arrival | AnonymousArrival)[]

const readers: Record<string, Reader | undefined> = {
  MESSAGE_CREATE: toMessage,
  MESSAGE_UPDATE: toEdit,
  MESSAGE_DELETE: (_, data: DeletedMessage) => [toDeletion(data)],
  MESSAGE_DELETE_BULK: (_, { ids, ...place }: Place & { ids: string[] }) =>
    ids.map((id) => toDeletion({ id, ...place })),
  MESSAGE_REACTION_ADD: (context, data: Reaction) =>
    toReaction(context, data, 'reactionAdded'),
  MESSAGE_REACTION_REMOVE: (context, data: Reaction) =>
    toReaction(context, data, 'reactionRemoved'),
  INTERACTION_CREATE: (context, interaction: Interaction) =>
    interaction.type === interactionTypes.command
      ? toCommand(context, interaction)
      : toPress(context, interaction),
}

/** Returns what a dispatched event says to the bot; nothing for one that is not for it. */
export const toArrivals = async (
  context: Context,
  name: string | undefined,
  data: unknown,
): Promise<(Arrival | AnonymousArrival)[]> =>
  (await readers[name ?? '']?.(context, data as never)) ?? []

/** `reader`: the only person who sees it. */
const toConversation = (
  { channel_id, guild_id }: Place,
  reader?: DiscordUser,
): Arrival['conversation'] => ({
  channel: guild_id ? 'channel' : 'dm',
  tags: {
    id: reader ? toPrivateId(channel_id, reader.id) : channel_id,
    ...(guild_id && { guildId: guild_id }),
  },
  by: ['id'],
})

const toUser = ({ id, username, global_name, avatar }: DiscordUser): Arrival['user'] => ({
  tags: { id, username },
  by: ['id'],
  name: global_name || username,
  ...(avatar && { pictureUrl: `https://cdn.discordapp.com/avatars/${id}/${avatar}.png` }),
})

/** Another bot that answered the bot would begin an endless conversation. */
const findAuthor = ({ author, webhook_id }: DiscordMessage): DiscordUser | null =>
  author && !author.bot && webhook_id === undefined ? author : null

const mentionsBot = ({ configuration }: Context, { mentions = [] }: DiscordMessage) =>
  mentions.some(({ id }) => id === toBotId(configuration))

const isForBot = (context: Context, message: DiscordMessage) =>
  !message.guild_id ||
  context.configuration.onlyOnBotMention !== true ||
  mentionsBot(context, message)

async function toMessage(context: Context, message: DiscordMessage): Promise<Arrival[]> {
  const author = findAuthor(message)
  if (!author || !messageTypes.includes(message.type ?? 0) || !isForBot(context, message))
    return []
  const contents = await readContents(context, message)
  const mentioned = mentionsBot(context, message) && { mentionsBot: 'true' }
  return contents.map((content, i) => ({
    conversation: toConversation(message),
    user: toUser(author),
    message: {
      ...content,
      payload: { ...content.payload, ...toReply(message) },
      tags: {
        id: toPartId(message.id, contents.length - 1 - i),
        channelId: message.channel_id,
        ...mentioned,
      },
      by: ['id', 'channelId'],
    },
  }))
}

/** The text, or the last file, has the id of the message: it is the one that edits change. */
const toPartId = (id: string, part: number) => (part === 0 ? id : `${id}.${part}`)

const toReply = ({ referenced_message: original }: DiscordMessage) =>
  original ? { replyTo: { id: original.id, text: original.content ?? '' } } : {}

/** Discord says also that it has added a preview of a link, which is no edit. */
function toEdit(context: Context, message: DiscordMessage): Arrival[] {
  const author = findAuthor(message)
  if (!author || !message.edited_timestamp || !isForBot(context, message)) return []
  const user = toUser(author)
  const payload = {
    messageTags: { id: message.id, channelId: message.channel_id },
    payload: { text: message.content ?? '' },
    userTags: user.tags,
  }
  return [
    {
      conversation: toConversation(message),
      user,
      event: { type: 'messageEdited', payload },
    },
  ]
}

/** Discord does not name the author of the message. */
const toDeletion = ({ id, ...place }: DeletedMessage): AnonymousArrival => ({
  conversation: toConversation(place),
  event: {
    type: 'messageDeleted',
    payload: { messageTags: { id, channelId: place.channel_id }, userTags: {} },
  },
})

function toReaction(
  { configuration }: Context,
  reaction: Reaction,
  type: string,
): Arrival[] {
  const { user_id, message_id, channel_id, emoji, member } = reaction
  if (user_id === toBotId(configuration) || member?.user?.bot) return []
  const user = member?.user ? toUser(member.user) : { tags: { id: user_id }, by: ['id'] }
  const payload = {
    messageTags: { id: message_id, channelId: channel_id },
    reaction: emoji.id ? `${emoji.name}:${emoji.id}` : (emoji.name ?? ''),
    userTags: user.tags,
  }
  return [{ conversation: toConversation(reaction), user, event: { type, payload } }]
}

/** A pressed button says its label, and has the value that the bot gave it. */
async function toPress(context: Context, interaction: Interaction): Promise<Arrival[]> {
  const { id, type, data, channel_id } = interaction
  const by = interaction.member?.user ?? interaction.user
  if (type !== interactionTypes.component || !by) return []
  const content = await readPress(
    context,
    interaction,
    data?.values?.[0] ?? data?.custom_id ?? '',
  )
  if (!content) return []
  const { tags, isPrivate } = readInteraction(context, interaction)
  return [
    {
      conversation: toConversation(interaction, isPrivate ? by : undefined),
      user: toUser(by),
      message: {
        ...content,
        tags: { id: `press-${id}`, channelId: channel_id, ...tags },
        by: ['id', 'channelId'],
      },
    },
  ]
}

/** A command is what a person would write: a slash, its name, and further words. */
function toCommand(context: Context, interaction: Interaction): Arrival[] {
  const { id, data, channel_id } = interaction
  const by = interaction.member?.user ?? interaction.user
  if (!by || !data?.name) return []
  const words = (data.options ?? []).map(({ value }) => String(value ?? ''))
  const { tags, isPrivate } = readInteraction(context, interaction)
  return [
    {
      conversation: toConversation(interaction, isPrivate ? by : undefined),
      user: toUser(by),
      message: {
        type: 'text',
        payload: { text: [`/${data.name}`, ...words].join(' ') },
        tags: { id: `command-${id}`, channelId: channel_id, ...tags },
        by: ['id', 'channelId'],
      },
    },
  ]
}

async function readPress(
  { host }: Context,
  { message }: Interaction,
  data: string,
): Promise<Content | null> {
  const pressed = await findPressed(host, data)
  if (pressed)
    return { type: 'text', payload: { text: pressed.label, value: pressed.value } }
  const label = findLabel(message?.components ?? [], data)
  return label === undefined ? null : { type: 'text', payload: { text: label } }
}

function findLabel(rows: Component[], data: string): string | undefined {
  const components = rows.flatMap((row) => row.components ?? [])
  const options = components.flatMap((component) => component.options ?? [])
  return (
    options.find(({ value }) => value === data)?.label ??
    components.find(({ custom_id }) => custom_id === data)?.label
  )
}
