// The integration `sms`: any gateway that sends SMS by a request, and posts those of people.
import { objectSchema, textSchema } from '@botstead/contract'
import type { ChannelEntry } from '../channel.ts'
import { action, channel, configuration, secret, setting, user } from '../definitions.ts'
import { fileLinks, native, numbers } from '../shown.ts'
import { guide } from './guide.ts'

const field = (title: string, example: string) =>
  setting(
    title,
    `Name of the field in requests of the gateway; a path such as data.0.${example} leads into objects and ` +
      `lists. Default: ${example}`,
    textSchema,
  )

const conversation = objectSchema({
  conversation: objectSchema({
    userPhone: setting('Phone number', 'Of the person, as the gateway writes it'),
    'activePhone?': setting(
      'Sender',
      'Default: the one of the configuration',
      textSchema,
    ),
  }),
})

export const sms: ChannelEntry = {
  name: 'sms',
  title: 'SMS (any gateway)',
  description:
    'People write SMS to a number of your gateway, which has an HTTP API: you say what its requests look ' +
    'like. For Twilio, use the channel SMS (Twilio).',
  version: '1.0.0',
  guide,
  shows: { ...native, ...fileLinks, ...numbers, location: 'link' },
  hasNoButtons: true,
  definition: {
    configuration: configuration({
      sendUrl: setting(
        'Address that sends an SMS',
        'In the documentation of your gateway: "send a message", such as https://sms.example.org/messages',
        { type: 'string', pattern: '^https?://' },
      ),
      'body?': setting(
        'Body of the request',
        'With {{to}}, {{from}}, {{text}} and {{id}} (of the message). JSON if it begins with {, else a ' +
          'form such as to={{to}}&text={{text}}. Default: ' +
          '{"to":"{{to}}","from":"{{from}}","text":"{{text}}"}',
        textSchema,
      ),
      'authorizationSecret?': secret(
        'Credentials',
        'The whole value of the header that the gateway asks for, such as: Bearer 5f0c…',
      ),
      'authorizationHeader?': setting(
        'Header of the credentials',
        'Such as X-API-Key. Default: Authorization',
        { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9-]{0,99}$' },
      ),
      'sender?': setting(
        'Sender',
        'The number or name that the bot writes from',
        textSchema,
      ),
      'sentIdField?': setting(
        'Id in the answer',
        'Field of the answer with the id of the sent SMS. An answer without it is a failure. Without this ' +
          'setting, each answer from 200 to 299 means success.',
        textSchema,
      ),
      webhookSecret: {
        ...secret(
          'Secret of the webhook',
          'Invent one, for example with: openssl rand -hex 16. The gateway sends it at the end of the ' +
            'webhook address, as ?secret=…, or in the header x-webhook-secret.',
        ),
        minLength: 16,
      },
      'listField?': setting(
        'List of messages',
        'Field with the list, if a request of the gateway brings several messages',
        textSchema,
      ),
      'fromField?': field('Number of the person', 'from'),
      'toField?': field('Number of the bot', 'to'),
      'textField?': field('Text', 'text'),
      'idField?': field('Id of the message', 'id'),
      'statusField?': field('State of an SMS of the bot', 'status'),
    }),
    channels: {
      channel: channel(
        'SMS conversation',
        { userPhone: 'Phone number of the person', activePhone: 'Sender of the bot' },
        { id: 'Id of the message at the gateway' },
        ['userPhone', 'activePhone'],
      ),
    },
    events: {
      messageFailed: {
        title: 'Message failed',
        description: 'The gateway has accepted a message, and could not deliver it',
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
  load: async () => (await import('./sms.ts')).smsChannel,
}
