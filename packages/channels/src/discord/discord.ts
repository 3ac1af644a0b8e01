// Discord: messages arrive by its gateway, so that no public address is needed.
import { type Channel, ChannelError } from '../channel.ts'
import { post } from './api.ts'
import { toBotId } from './arrivals.ts'
import { readCommands, registerCommands } from './commands.ts'
import { findReply, toChannelId } from './interactions.ts'
import { sendPart, toParts } from './sending.ts'
import { checkSetup } from './setup.ts'
import { receiveDispatches } from './shards.ts'

export const discordChannel: Channel = {
  usesConnection: () => true,

  toAccount: toBotId,

  async check(context) {
    readCommands(context.configuration)
    return checkSetup(context)
  },

  register: (context) => registerCommands(context),

  unregister: (context) => registerCommands(context, new Map()),

  connect: (context, cursor) => receiveDispatches(context, cursor),

  async *send(context, message) {
    const parts = await toParts(message)
    const reply = await findReply(context, message)
    // Another attempt, after a crash, answers the same command.
    if (reply?.isFirst)
      yield { tags: { interaction: reply.interaction }, isPlanned: true }
    for (const [i, part] of parts.entries()) {
      if (i < message.sentParts) continue
      const isFirst = reply?.isFirst === true && i === 0
      const place = reply && (isFirst || reply.isPrivate) ? { ...reply, isFirst } : null
      yield { tags: await sendPart(context, message, part, { index: i, reply: place }) }
    }
  },

  async toConversation(_, address) {
    if (/^\d{15,22}$/.test(address)) return { channel: 'channel', tags: { id: address } }
    throw new ChannelError(
      'rejected',
      'The id of a channel in Discord has 17 to 20 digits',
    )
  },

  actions: {
    async startTypingIndicator(context, { conversationId }) {
      const conversation = await context.host.findConversation(String(conversationId))
      if (conversation)
        await post(
          context,
          `/channels/${encodeURIComponent(toChannelId(conversation.tags.id ?? ''))}/typing`,
          {},
        )
      return {}
    },
    // Discord ends it by itself: after ten seconds, or with the next message.
    stopTypingIndicator: async () => ({}),

    async startDm(context, { userId }) {
      const { id } = await post<{ id: string }>(context, '/users/@me/channels', {
        recipient_id: userId,
      })
      return { channelId: id }
    },
  },
}
