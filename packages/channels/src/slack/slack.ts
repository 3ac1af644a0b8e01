// Slack: messages arrive by Socket Mode, so that no public address is needed, or by its Events API.
import type { Action, Channel } from '../channel.ts'
import { actions } from './actions.ts'
import { readRequest } from './requests.ts'
import { sendPart, toParts } from './sending.ts'
import { checkSetup } from './setup.ts'
import { receiveEnvelopes } from './socket-mode.ts'

export const slackChannel: Channel = {
  usesConnection: ({ receiveBy }) => receiveBy !== 'webhook',

  register: (context) => checkSetup(context),

  receive: readRequest,

  connect: (context) => receiveEnvelopes(context),

  async *send(context, message) {
    const parts = await toParts(context, message)
    for (const part of parts.slice(message.sentParts))
      yield { tags: await sendPart(context, message.conversation, part) }
  },

  actions: actions satisfies Record<string, Action>,
}
