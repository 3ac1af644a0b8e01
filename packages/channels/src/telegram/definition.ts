// The integration `telegram`, with the channel, tags and messages of the official one.
import type { ChannelEntry } from '../channel.ts'
import {
  channel,
  configuration,
  messageEvents,
  secret,
  setting,
  typingActions,
  user,
  voiceSettings,
} from '../definitions.ts'
import { native } from '../shown.ts'
import { guide } from './guide.ts'

export const telegram: ChannelEntry = {
  name: 'telegram',
  title: 'Telegram',
  description:
    'People write to your bot in Telegram. Needs a token from @BotFather, and nothing else.',
  version: '1.0.0',
  guide,
  shows: native,
  definition: {
    configuration: configuration({
      botToken: secret(
        'Bot token',
        'Write /newbot to @BotFather in Telegram, and copy the token from its answer.',
      ),
      'receiveBy?': setting(
        'How messages arrive',
        '"connection": this server asks Telegram, so it needs no public address. ' +
          '"webhook": Telegram calls this server, at a public address with HTTPS.',
        { enum: ['connection', 'webhook'], default: 'connection' },
      ),
      ...voiceSettings,
      'apiUrl?': setting(
        'Address of the Bot API',
        'Only for a Bot API server of your own. Default: https://api.telegram.org',
        { type: 'string', pattern: '^https?://' },
      ),
    }),
    channels: {
      channel: channel(
        'Chat',
        {
          id: 'Id of the chat, and of the topic in a forum',
          chatId: 'Id of the chat',
          topicId: 'Id of the topic in a forum',
          chatType: 'private, group, supergroup or channel',
          fromUserId: 'Id of the person who began',
          fromUserUsername: 'Username of the person who began',
          fromUserName: 'Name of the person who began',
        },
        { id: 'Id of the message in its chat', chatId: 'Id of the chat' },
      ),
    },
    events: messageEvents,
    actions: typingActions,
    user: user({
      id: 'Id of the person',
      username: 'Username',
      language: 'Language of the app',
    }),
  },
  load: async () => (await import('./telegram.ts')).telegramChannel,
}
