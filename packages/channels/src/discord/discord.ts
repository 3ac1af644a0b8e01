// Discord: messages arrive by its gateway, so that no public address is needed.
import { type Channel, ChannelError } from '../channel.ts'
import { post } from './api.ts'
import { toBotId } from './arrivals.ts'
import { receiveDispatches } from './gateway.ts'
import { sendPart, toParts } from './sending.ts'
import { checkSetup } from './setup.ts'

export const discordChannel: Channel = {
  usesConnection: () => true,

  toAccount: toBotId,

  check: checkSetup,

  connect: (context, cursor) => receiveDispatches(context, cursor),

  async *send(context, message) {
    const parts = await toParts(message)
    for (const [i, part] of parts.entries())
      if (i >= message.sentParts) yield { tags: await sendPart(context, message, part, i) }
  },

  async toConversation(_, address) {
    if (/^\d{15,22}$/.test(address)) return { channel: 'channel', tags: { id: address } }
    throw new ChannelError('rejected', 'The id of a channel in Discord has 17 to 20 digits')
  },

  actions: {
    async startTypingIndicator(context, { conversationId }) {
      const conversation = await context.host.findConversation(String(conversationId))
      if (conversation)
        await post(
          context,
          `/channels/${encodeURIComponent(conversation.tags.id ?? '')}/typing`,
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
