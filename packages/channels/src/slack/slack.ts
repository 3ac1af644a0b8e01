// Slack: messages arrive by Socket Mode, so that no public address is needed, or by its Events API.
import { type Action, type Channel, ChannelError } from '../channel.ts'
import { isAtProvider } from '../guide.ts'
import { actions } from './actions.ts'
import { call } from './api.ts'
import { readRequest } from './requests.ts'
import { sendPart, toParts } from './sending.ts'
import { checkSetup } from './setup.ts'
import { receiveEnvelopes } from './socket-mode.ts'

export const slackChannel: Channel = {
  usesConnection: ({ receiveBy }) => receiveBy !== 'webhook',

  toAccount: ({ botToken }) => String(botToken),

  needsPublicAddress: ({ receiveBy, ...configuration }) =>
    receiveBy === 'webhook' && isAtProvider(configuration),

  check: checkSetup,

  receive: readRequest,

  connect: (context) => receiveEnvelopes(context),

  async *send(context, message) {
    const parts = await toParts(context, message)
    for (const part of parts.slice(message.sentParts))
      yield { tags: await sendPart(context, message.conversation, part) }
  },

  async toConversation(context, address) {
    if (!/^[CDGU][A-Z0-9]{5,20}$/.test(address))
      throw new ChannelError('rejected', 'An id of Slack begins with C, D, G or U')
    if (!address.startsWith('U'))
      return {
        channel: address.startsWith('D') ? 'dm' : 'channel',
        tags: { id: address },
      }
    // Messages to a person arrive in the direct message with that person.
    const { channel } = await call<{ channel: { id: string } }>(
      context,
      'conversations.open',
      {
        users: address,
      },
    )
    return { channel: 'dm', tags: { id: channel.id } }
  },

  actions: actions satisfies Record<string, Action>,
}
