// The integration `twilio`, with the channel, tags and messages of the official one.
import { objectSchema, textSchema } from '@botstead/contract'
import type { ChannelEntry } from '../channel.ts'
import { action, channel, configuration, secret, setting, user } from '../definitions.ts'
import { native, numbers } from '../shown.ts'
import { guide } from './guide.ts'

const conversation = objectSchema({
  conversation: objectSchema({
    userPhone: setting(
      'Phone number',
      'Of the person, with the country code: +40712345678',
    ),
    'activePhone?': setting(
      'Sender',
      'A phone number or messaging service of the account. Default: the one of the configuration',
      textSchema,
    ),
  }),
})

export const twilio: ChannelEntry = {
  name: 'twilio',
  title: 'SMS (Twilio)',
  description:
    'People write SMS and MMS to a phone number of your bot. Needs an account at twilio.com ' +
    'with a number, and a public address with HTTPS.',
  version: '1.0.0',
  guide,
  shows: { ...native, ...numbers, file: 'link', location: 'link' },
  hasNoButtons: true,
  definition: {
    configuration: configuration({
      accountSID: setting(
        'Account SID',
        'In the Twilio Console, on its first page, "Account Info". It begins with AC.',
      ),
      authToken: secret(
        'Auth token',
        'In the Twilio Console, below the account SID: "Show".',
      ),
      'sender?': setting(
        'Phone number or messaging service',
        'A number as +40712345678 (Twilio Console: Phone Numbers, Active numbers), or a ' +
          'messaging service, which begins with MG (Messaging, Services). This server sets the ' +
          'address at which it receives messages. Without it, set the webhook of the number ' +
          'yourself, and answer only people who write first.',
        textSchema,
      ),
      'sendMediaAs?': setting(
        'Pictures and other media',
        '"mms": in the message, which Twilio offers in few countries. "link": as the address of the file.',
        { enum: ['mms', 'link'], default: 'mms' },
      ),
      'apiUrl?': setting(
        'Address of the API',
        'Only for a region of its own, such as https://api.dublin.ie1.twilio.com. Default: ' +
          'https://api.twilio.com',
        { type: 'string', pattern: '^https?://' },
      ),
    }),
    channels: {
      channel: channel(
        'SMS conversation',
        {
          userPhone: 'Phone number of the person',
          activePhone: 'Phone number of the bot, or its messaging service',
        },
        { id: 'Id of the message' },
        ['userPhone', 'activePhone'],
      ),
    },
    events: {
      messageFailed: {
        title: 'Message failed',
        description: 'Twilio has accepted a message, and could not deliver it',
        schema: objectSchema(
          { messageTags: { type: 'object' }, error: textSchema },
          true,
        ),
      },
    },
    actions: {
      startConversation: action(
        'Start a conversation',
        'Opens the conversation with a phone number, to which the bot then writes',
        conversation,
        objectSchema({ conversationId: textSchema }),
      ),
    },
    user: user({ userPhone: 'Phone number of the person' }, ['userPhone']),
  },
  load: async () => (await import('./twilio.ts')).twilioChannel,
}
