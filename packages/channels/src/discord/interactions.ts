// Slash commands and pressed buttons (https://discord.com/developers/docs/interactions/receiving-and-responding).
// Discord waits three seconds, so that a command is deferred, and the bot's message becomes its answer later.
import {
  ChannelError,
  type Context,
  type OutgoingMessage,
  type RecentMessage,
} from '../channel.ts'
import { patch, post } from './api.ts'
import { isPrivateCommand } from './commands.ts'
import type { Interaction } from './types.ts'

export const interactionTypes = { command: 2, component: 3 }
const callbackTypes = { deferredMessage: 5, deferredUpdate: 6 }
const ephemeral = 1 << 6

/** Discord takes answers for 15 minutes. */
const openMs = 14 * 60_000
/** After another message, people no longer look at the command. */
const openAfterOthersMs = 60_000

/** Whether only the person sees the answer: of a private command, or of a button in such an answer. */
const isPrivate = (
  { configuration }: Context,
  { type, data, message }: Interaction,
): boolean =>
  type === interactionTypes.command
    ? isPrivateCommand(configuration, data?.name ?? '')
    : ((message?.flags ?? 0) & ephemeral) !== 0

/** Ends the waiting of a button; else shows that the bot thinks. Throws ChannelError. */
export async function acknowledge(
  context: Context,
  interaction: Interaction,
): Promise<void> {
  const { id, token, type } = interaction
  const flags = isPrivate(context, interaction) ? ephemeral : 0
  const path = `/interactions/${encodeURIComponent(id)}/${encodeURIComponent(token)}/callback`
  if (type === interactionTypes.component && flags === 0)
    await post(context, path, { type: callbackTypes.deferredUpdate })
  else if (type === interactionTypes.command || type === interactionTypes.component)
    await post(context, path, { type: callbackTypes.deferredMessage, data: { flags } })
}

/**
 * Returns the tag of the message by which the bot's message answers it, if that is deferred, and whether it
 * is private: in a channel, others must not see what the bot writes to the person later.
 */
export function readInteraction(context: Context, interaction: Interaction) {
  const { application_id, token, type, guild_id } = interaction
  const isHidden = isPrivate(context, interaction)
  const tags: Record<string, string> =
    type === interactionTypes.command || isHidden
      ? { interaction: `${application_id}/${token}` }
      : {}
  return { tags, isPrivate: isHidden && guild_id !== undefined }
}

/** The tag id of a conversation that only one person of a channel sees. */
export const toPrivateId = (channelId: string, userId: string) => `${channelId}.${userId}`

/** Of a conversation, which may be private. */
export const toChannelId = (id: string) => id.split('.')[0] ?? ''

const isPrivateId = (id: string) => id.includes('.')

export interface Reply {
  interaction: string
  isPrivate: boolean
  /** The command waits for this message; else, it follows another one. */
  isFirst: boolean
}

/**
 * Returns how a message answers a command: the oldest one without an answer, unless people have written
 * something else since; null for an ordinary message. Throws ChannelError ("rejected") if only the person
 * of a command may see the message, and no command waits.
 */
export async function findReply(
  {
    host,
    installation,
    configuration,
  }: Pick<Context, 'host' | 'installation' | 'configuration'>,
  { id, conversation }: Pick<OutgoingMessage, 'id' | 'conversation'>,
): Promise<Reply | null> {
  const tag = `${installation.alias}:interaction`
  const isPrivate = isPrivateId(conversation.tags.id ?? '')
  if (!isPrivate && !configuration.commands) return null
  const recent = await host.listRecent(conversation.id)
  const own = recent.find((one) => one.id === id)?.tags[tag]
  if (own) return { interaction: own, isPrivate, isFirst: true }
  const waiting = findWaiting(recent, tag)
  if (waiting) return { interaction: waiting, isPrivate, isFirst: true }
  if (!isPrivate) return null
  const last = recent.find((one) => one.tags[tag] && isOpen(one, openMs))?.tags[tag]
  if (last) return { interaction: last, isPrivate, isFirst: false }
  throw new ChannelError(
    'rejected',
    'Discord shows private answers only for 15 minutes after the command of the person.',
  )
}

const isOpen = ({ createdAt }: RecentMessage, ms: number) =>
  Date.now() - createdAt.getTime() < ms

/** `recent`: the latest first. */
function findWaiting(recent: RecentMessage[], tag: string): string | undefined {
  const answered = new Set(
    recent.flatMap(({ isOwn, tags }) => (isOwn ? (tags[tag] ?? []) : [])),
  )
  const incoming = recent.filter(({ isOwn }) => !isOwn)
  const waits = (message: RecentMessage, at: number) => {
    const interaction = message.tags[tag]
    if (!interaction || answered.has(interaction)) return false
    const others = incoming.slice(0, at).some(({ tags }) => !tags[tag])
    return isOpen(message, others ? openAfterOthersMs : openMs)
  }
  return incoming.findLast(waits)?.tags[tag]
}

/** Sends a part as the answer of a command, or after it. Returns the message of Discord. */
export function sendReply<Result>(
  context: Context,
  { interaction, isFirst, isPrivate }: Reply,
  value: Record<string, unknown>,
  file?: Parameters<typeof post>[3],
): Promise<Result> {
  const [application = '', token = ''] = interaction.split('/')
  const path = `/webhooks/${encodeURIComponent(application)}/${encodeURIComponent(token)}`
  if (isFirst) return patch(context, `${path}/messages/@original`, value, file)
  return post(
    context,
    `${path}?wait=true`,
    { ...value, ...(isPrivate && { flags: ephemeral }) },
    file,
  )
}
