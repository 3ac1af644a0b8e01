// The integration `whatsapp`, with the channel, tags, messages and actions of the official one.
import { objectSchema, textSchema } from '@botstead/contract'
import type { ChannelEntry } from '../channel.ts'
import {
  action,
  channel,
  configuration,
  messageEvents,
  setting,
  typingActions,
  user,
  voiceSettings,
} from '../definitions.ts'
import { apiUrlSetting, metaSettings } from '../meta/settings.ts'
import { native } from '../shown.ts'
import { guide } from './guide.ts'

const template = objectSchema({
  conversation: objectSchema({
    userPhone: setting(
      'Phone number',
      'Of the person, with the country code: +40712345678',
    ),
    templateName: setting('Template', 'Name of an approved template'),
    'templateLanguage?': setting('Language', 'Of the template. Default: en', textSchema),
    'templateVariablesJson?': setting(
      'Variables',
      'Of the body, as JSON: ["first", "second"], or {"name": "value"} for named ones',
      textSchema,
    ),
    'templateHeaderJson?': setting(
      'Header',
      'Of the template, as JSON: {"text": ["Ana"]}, {"image": "https://…"}, {"video": "https://…"}, ' +
        '{"document": "https://…", "filename": "bill.pdf"}, or {"location": {"latitude": 46.77, ' +
        '"longitude": 23.59, "name": "Shop", "address": "Main Street 1"}}',
      textSchema,
    ),
    'templateButtonsJson?': setting(
      'Buttons',
      'Variables of the buttons in their order, as JSON: [{"url": "end of the address"}, ' +
        '{"quickReply": "value"}, {"copyCode": "SAVE20"}, null]',
      textSchema,
    ),
    'botPhoneNumberId?': setting(
      'Phone number ID',
      'Of the sender. Default: the one of the configuration',
      textSchema,
    ),
  }),
})

const sent = objectSchema({ conversationId: textSchema })

export const whatsapp: ChannelEntry = {
  name: 'whatsapp',
  title: 'WhatsApp',
  description:
    'People write to the WhatsApp number of your business. Needs an app at ' +
    'developers.facebook.com with the product WhatsApp, and a public address with HTTPS.',
  version: '1.0.0',
  guide,
  shows: native,
  definition: {
    configuration: configuration({
      ...metaSettings(
        'Of a system user (Business settings, Users, System users), with the permissions ' +
          'whatsapp_business_messaging and whatsapp_business_management.',
      ),
      defaultBotPhoneNumberId: setting(
        'Phone number ID',
        'In the Meta app: WhatsApp, API setup, below the number. It is not the number itself.',
        { type: 'string', pattern: '^\\s*\\d+\\s*$' },
      ),
      'businessAccountId?': setting(
        'WhatsApp Business account ID',
        'In the Meta app: WhatsApp, API setup. With it, this server subscribes to the messages ' +
          'of the account, and lists its templates.',
        { type: 'string', pattern: '^\\s*\\d+\\s*$' },
      ),
      'markAsRead?': setting(
        'Show messages as read',
        'People see the blue ticks as soon as a message has arrived. Default: yes',
        { type: 'boolean', default: true },
      ),
      ...voiceSettings,
      'apiUrl?': apiUrlSetting('https://graph.facebook.com'),
    }),
    channels: {
      channel: channel(
        'WhatsApp conversation',
        {
          botPhoneNumberId: "Id of the bot's phone number",
          userPhone: 'Phone number of the person',
          userId: 'Id of the person in this business, which needs no phone number',
        },
        {
          id: 'Id of the message',
          replyTo: 'Id of the message that it answers',
          referralSourceUrl: 'Address of the advertisement that led here',
          referralSourceId: 'Id of the advertisement that led here',
        },
        ['botPhoneNumberId', 'userPhone'],
      ),
    },
    events: {
      reactionAdded: messageEvents.reactionAdded,
      reactionRemoved: messageEvents.reactionRemoved,
      messageEdited: messageEvents.messageEdited,
      messageDeleted: messageEvents.messageDeleted,
      messageFailed: {
        title: 'Message failed',
        description: 'WhatsApp has accepted a message, and could not deliver it',
        schema: objectSchema(
          { messageTags: { type: 'object' }, error: textSchema },
          true,
        ),
      },
    },
    actions: {
      ...typingActions,
      startConversation: action(
        'Start a conversation',
        'Sends a template to a person who has not written within 24 hours',
        template,
        sent,
      ),
      sendTemplateMessage: action(
        'Send a template',
        'Sends a template, which reaches people also outside of the 24 hours',
        template,
        sent,
      ),
      listTemplates: action(
        'List templates',
        'Lists the templates of the business account, with status and quality',
        objectSchema({
          'status?': textSchema,
          'name?': textSchema,
          'limit?': { type: 'integer', minimum: 1, maximum: 100 },
          'nextCursor?': textSchema,
        }),
        objectSchema({
          templates: {
            type: 'array',
            items: objectSchema(
              {
                name: textSchema,
                language: textSchema,
                'status?': setting(
                  'Status',
                  'APPROVED, PENDING, REJECTED, PAUSED …',
                  textSchema,
                ),
                'quality?': setting(
                  'Quality',
                  'GREEN, YELLOW, RED or UNKNOWN',
                  textSchema,
                ),
                'rejected_reason?': setting(
                  'Reason',
                  'Why Meta has rejected it',
                  textSchema,
                ),
              },
              true,
            ),
          },
          'nextCursor?': textSchema,
        }),
      ),
    },
    user: user(
      {
        userId: 'Phone number or id of the person',
        whatsappUserId: 'Id of the person in this business',
        number: 'Phone number',
        username: 'Username',
        name: 'Name',
      },
      ['userId'],
    ),
  },
  load: async () => (await import('./whatsapp.ts')).whatsappChannel,
  hasNoButtons: true,
}
