// The integration `api`: a channel for one's own app.

import { objectSchema, textSchema } from '@botstead/contract'
import type { ChannelEntry } from '../channel.ts'
import {
  channel,
  configuration,
  messageEvents,
  secret,
  setting,
  typingActions,
  user,
} from '../definitions.ts'
import { native } from '../shown.ts'
import { guide } from './guide.ts'

const typing = (title: string, description: string) => ({
  title,
  description,
  schema: objectSchema({ 'userId?': textSchema }, true),
})

export const api: ChannelEntry = {
  name: 'api',
  title: 'Your own app',
  description:
    'Your app sends messages of people to the bot, and receives its answers, as signed JSON ' +
    'requests in the format of Standard Webhooks. All types of message go through unchanged.',
  version: '1.0.0',
  guide,
  shows: native,
  definition: {
    configuration: configuration({
      appUrl: setting(
        'Address of your app',
        'The server sends messages of the bot there, by POST. Example: https://app.example.org/bot',
        { type: 'string', pattern: '^https?://' },
      ),
      signingSecret: secret(
        'Signing secret',
        'Your app and this server sign with it: the output of "openssl rand -base64 32", with ' +
          'or without the prefix "whsec_".',
      ),
    }),
    channels: {
      channel: channel(
        'Conversation',
        { id: 'Id of the conversation in your app' },
        {
          id: 'Id of the message in your app',
          conversationId: 'Id of the conversation in your app',
        },
      ),
    },
    events: {
      ...messageEvents,
      typingStarted: typing('Typing started', 'A person began to write'),
      typingStopped: typing('Typing stopped', 'A person stopped writing'),
    },
    actions: typingActions,
    user: user({ id: 'Id of the person in your app' }),
  },
  load: async () => (await import('./api.ts')).apiChannel,
}
