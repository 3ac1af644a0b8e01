// The integration `discord`. The official one has the channel `channel`, with the tag `id`.
import { objectSchema, textSchema } from '@botstead/contract'
import type { ChannelEntry } from '../channel.ts'
import {
  action,
  channel,
  configuration,
  messageEvents,
  secret,
  setting,
  typingActions,
  user,
  voiceSettings,
} from '../definitions.ts'
import { fileLinks, native } from '../shown.ts'
import { guide } from './guide.ts'

const conversationTags = {
  id: 'Id of the channel; of private answers, also of the person',
  guildId: 'Id of the server',
}
const messageTags = {
  id: 'Id of the message',
  channelId: 'Id of the channel, thread or direct message',
  mentionsBot: '"true" if it mentions the bot',
  interaction: 'Of a slash command, and of the message that answers it',
}

export const discord: ChannelEntry = {
  name: 'discord',
  title: 'Discord',
  description:
    'People write to your bot in Discord: directly, in channels, and in threads. Needs the token of an ' +
    'application from discord.com/developers/applications, and no public address.',
  version: '1.0.0',
  guide,
  shows: { ...native, ...fileLinks, location: 'link' },
  definition: {
    configuration: configuration({
      botToken: secret(
        'Bot token',
        'In the Developer Portal, at your application: "Bot" → "Reset Token". Switch on ' +
          '"Message Content Intent" there. To invite the bot to a server: "OAuth2" → "URL ' +
          'Generator" → scope "bot", with the permissions "View Channels", "Send Messages", ' +
          '"Send Messages in Threads", "Embed Links", "Attach Files" and "Read Message ' +
          'History".',
      ),
      'onlyOnBotMention?': setting(
        'Require bot mention',
        'In channels and threads, receives only messages that mention the bot; then "Message ' +
          'Content Intent" is not needed. Direct messages always arrive.',
        { type: 'boolean', default: false },
      ),
      'commands?': setting(
        'Slash commands',
        'One a line, as "order: Shows your order". The bot receives them as the text "/order", with the ' +
          'words that the person adds. Only the person sees the answer of ' +
          '"order (private): Shows your order". Commands of other programs stay.',
        { type: 'string', maxLength: 15_000 },
      ),
      ...voiceSettings,
      'apiUrl?': setting('Address of the API', 'Default: https://discord.com/api/v10', {
        type: 'string',
        pattern: '^https?://',
      }),
    }),
    channels: {
      channel: channel('Channel or thread', conversationTags, messageTags),
      dm: channel('Direct message', conversationTags, messageTags),
    },
    events: messageEvents,
    actions: {
      ...typingActions,
      startDm: action(
        'Start a direct message',
        'Returns the id of the direct message with a person, for a conversation of the channel "dm"',
        objectSchema({ userId: textSchema }),
        objectSchema({ channelId: textSchema }),
      ),
    },
    user: user({ id: 'Id of the person', username: 'Username' }),
  },
  load: async () => (await import('./discord.ts')).discordChannel,
}
