// The integration `instagram`, with the channel, tags and messages of the official one.
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

export const instagram: ChannelEntry = {
  name: 'instagram',
  title: 'Instagram',
  description:
    'People write direct messages to your Instagram account for businesses. Needs an app at ' +
    'developers.facebook.com with the product Instagram, and a public address with HTTPS.',
  version: '1.0.0',
  guide,
  shows: { ...native, file: 'link', location: 'link' },
  definition: {
    configuration: configuration({
      ...metaSettings(
        'In the Meta app: Instagram, API setup with Instagram login, Generate access tokens. ' +
          'Needs the permission instagram_business_manage_messages.',
        'Instagram, API setup with Instagram login',
      ),
      instagramId: setting(
        'Instagram account ID',
        'In the Meta app: Instagram, API setup with Instagram login, below the name of the account.',
      ),
      'messageTag?': setting(
        'Message tag',
        'HUMAN_AGENT: answers of people within seven days, if Meta has approved it. Default: none',
        { enum: ['HUMAN_AGENT'] },
      ),
      ...voiceSettings,
      'apiUrl?': apiUrlSetting('https://graph.instagram.com'),
    }),
    channels: {
      channel: channel(
        'Direct message',
        { id: 'Id of the person at this account' },
        {
          id: 'Id of the message',
          senderId: 'Id of its author',
          recipientId: 'Id of its recipient',
        },
      ),
    },
    events: messageEvents,
    actions: typingActions,
    user: user({ id: 'Id of the person at this account' }),
  },
  load: async () => (await import('./instagram.ts')).instagramChannel,
  hasNoButtons: true,
}
