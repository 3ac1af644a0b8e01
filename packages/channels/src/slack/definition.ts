// The integration `slack`, with the channels, tags and messages of the official one.
import { objectSchema } from '@botstead/contract'
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
import { native } from '../shown.ts'
import { guide } from './guide.ts'

const text = { type: 'string' }
const messageTags = {
  ts: 'Timestamp of the message, which is its id in its channel',
  userId: 'Id of the person who wrote it',
  channelId: 'Id of the channel',
  mentionsBot: '"true" if it mentions the bot',
  forkedToThread: '"true" in the thread that answers a message of the channel',
}

export const slack: ChannelEntry = {
  name: 'slack',
  title: 'Slack',
  description:
    'People write to your bot in Slack: directly, in channels, and in threads. Needs an app from ' +
    'api.slack.com/apps with Socket Mode, and no public address.',
  version: '1.0.0',
  guide,
  shows: { ...native, audio: 'link', video: 'link', file: 'link', location: 'link' },
  definition: {
    configuration: configuration({
      botToken: secret(
        'Bot User OAuth Token',
        'In your app at api.slack.com/apps: "OAuth & Permissions", after "Install to ' +
          'Workspace". Begins with xoxb-. Bot token scopes: chat:write, im:history, ' +
          'channels:history, groups:history, users:read, files:read, files:write, ' +
          'reactions:read, reactions:write. "Event Subscriptions" → bot events: message.im, ' +
          'message.channels, message.groups, reaction_added, reaction_removed.',
      ),
      'appToken?': secret(
        'App-level token',
        'For connections: "Basic Information" → "App-Level Tokens" → "Generate", with the scope ' +
          'connections:write. Begins with xapp-. Switch on "Socket Mode" too.',
      ),
      'signingSecret?': secret(
        'Signing Secret',
        'Only if messages arrive by webhook: "Basic Information" → "App Credentials".',
      ),
      'receiveBy?': setting(
        'How messages arrive',
        '"connection": this server connects to Slack by Socket Mode, so it needs no public address. ' +
          '"webhook": Slack calls this server, at a public address with HTTPS, which is the Request URL of ' +
          '"Event Subscriptions" and "Interactivity & Shortcuts".',
        { enum: ['connection', 'webhook'], default: 'connection' },
      ),
      'botName?': setting(
        'Bot name',
        'Shown as the sender. Needs the scope chat:write.customize.',
        text,
      ),
      'botAvatarUrl?': setting(
        'Bot avatar URL',
        'Picture of the sender. Needs the scope chat:write.customize.',
        text,
      ),
      'typingIndicatorEmoji?': setting(
        'Typing indicator emoji',
        'Marks a message with 👀 while the bot prepares the answer. Needs the scope reactions:write.',
        { type: 'boolean', default: false },
      ),
      'replyBehaviour?': setting(
        'Reply behaviour',
        'How the bot replies to messages in channels',
        objectSchema({
          'location?': setting(
            'Reply location',
            'In the channel, in a thread below the message, or both',
            {
              enum: ['channel', 'thread', 'channelAndThread'],
              default: 'channel',
            },
          ),
          'onlyOnBotMention?': setting(
            'Require bot mention',
            'In channels and threads, receives only messages that mention the bot',
            { type: 'boolean', default: false },
          ),
        }),
      ),
      ...voiceSettings,
      'apiUrl?': setting('Address of the Web API', 'Default: https://slack.com/api', {
        type: 'string',
        pattern: '^https?://',
      }),
    }),
    channels: {
      channel: channel('Channel', { id: 'Id of the channel' }, messageTags),
      dm: channel('Direct message', { id: 'Id of the direct message' }, messageTags),
      thread: channel(
        'Thread',
        {
          id: 'Id of the channel',
          thread: 'Timestamp of the message that began the thread',
          isBotReplyThread: '"true" if the thread began with an answer of the bot',
        },
        messageTags,
        ['id', 'thread'],
      ),
    },
    events: messageEvents,
    actions: {
      ...typingActions,
      addReaction: action(
        'Add reaction',
        'Reacts to a message with an emoji',
        objectSchema({ name: text, messageId: text }),
      ),
      retrieveMessage: action(
        'Retrieve message',
        'Reads a message from Slack',
        objectSchema({ ts: text, channel: text }),
        objectSchema({ type: text, user: text, ts: text, text }),
      ),
      updateChannelTopic: action(
        'Update channel topic',
        'Changes the topic of a channel. Needs the scope channels:manage.',
        objectSchema({ topic: text, channelId: text }),
      ),
      getUserProfile: action(
        'Get user profile',
        "Reads a person's profile from Slack",
        objectSchema({ userId: text }),
        objectSchema({
          'firstName?': text,
          'lastName?': text,
          'email?': text,
          'displayName?': text,
        }),
      ),
    },
    user: user({
      id: 'Id of the person',
      real_name: 'Real name',
      display_name: 'Display name',
      tz: 'Timezone',
      team: 'Id of the workspace',
      email: 'E-mail address, with the scope users:read.email',
      image_192: 'URL of the picture',
    }),
  },
  load: async () => (await import('./slack.ts')).slackChannel,
}
