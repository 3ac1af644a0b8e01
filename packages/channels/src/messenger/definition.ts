// The integration `messenger`, with the channel, tags and messages of the official one.
import type { ChannelEntry } from '../channel.ts'
import {
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

export const messenger: ChannelEntry = {
  name: 'messenger',
  title: 'Messenger',
  description:
    'People write to your Facebook page. Needs an app at developers.facebook.com with the ' +
    'product Messenger, and a public address with HTTPS.',
  version: '1.0.0',
  guide,
  shows: { ...native, location: 'link' },
  definition: {
    configuration: configuration({
      ...metaSettings(
        'Of the page. In the Meta app: Messenger, API settings, Generate access tokens. Needs ' +
          'the permission pages_messaging.',
      ),
      pageId: setting(
        'Page ID',
        'In the Meta app: Messenger, API settings, below the name of the page.',
      ),
      'messageTag?': setting(
        'Message tag',
        'For messages to people who last wrote more than 24 hours ago. Each tag has its rules at Meta; ' +
          'HUMAN_AGENT is for answers of people within seven days, and Meta must approve it. Default: none',
        {
          enum: [
            'HUMAN_AGENT',
            'ACCOUNT_UPDATE',
            'CONFIRMED_EVENT_UPDATE',
            'POST_PURCHASE_UPDATE',
          ],
        },
      ),
      ...voiceSettings,
      'apiUrl?': apiUrlSetting('https://graph.facebook.com'),
    }),
    channels: {
      channel: channel(
        'Messenger conversation',
        {
          id: 'Id of the person at this page',
          senderId: 'Id of the person at this page',
          recipientId: 'Id of the page',
        },
        {
          id: 'Id of the message',
          senderId: 'Id of its author',
          recipientId: 'Id of its recipient',
        },
      ),
    },
    events: messageEvents,
    actions: typingActions,
    user: user({ id: 'Id of the person at this page' }),
  },
  load: async () => (await import('./messenger.ts')).messengerChannel,
  hasNoButtons: true,
}
