// The integration `line`, with the channel, tags and messages of the official one.
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
  voiceSettings,
} from '../definitions.ts'
import { native } from '../shown.ts'
import { guide } from './guide.ts'

const contact = objectSchema({ destinationId: textSchema, userId: textSchema }, true)

export const line: ChannelEntry = {
  name: 'line',
  title: 'LINE',
  description:
    'People write to your LINE Official Account. Needs a channel of the Messaging API at ' +
    'developers.line.biz, and a public address with HTTPS.',
  version: '1.0.0',
  guide,
  shows: { ...native, video: 'link', file: 'link' },
  definition: {
    configuration: configuration({
      channelAccessToken: secret(
        'Channel access token',
        'In the LINE Developers Console: your channel, Messaging API, Channel access token ' +
          '(long-lived), Issue.',
      ),
      channelSecret: secret(
        'Channel secret',
        'In the LINE Developers Console: your channel, Basic settings, Channel secret.',
      ),
      ...voiceSettings,
      'apiUrl?': setting(
        'Address of the API',
        'Only for tests. Default: https://api.line.me',
        {
          type: 'string',
          pattern: '^https?://',
        },
      ),
    }),
    channels: {
      channel: channel(
        'LINE conversation',
        {
          usrId: 'Id of the person, or of the group',
          destId: 'Id of the bot',
          chatType: 'user, group or room',
          replyToken: 'Answers are free with it, for a minute',
          replyUntil: 'When it ends, in milliseconds since 1970',
        },
        { msgId: 'Id of the message', replyToken: 'The token with which it was sent' },
        ['usrId', 'destId'],
      ),
    },
    events: {
      messageDeleted: messageEvents.messageDeleted,
      followed: {
        title: 'Followed',
        description:
          'A person has added the account as a friend, or a group has invited it',
        schema: contact,
      },
      unfollowed: {
        title: 'Unfollowed',
        description: 'A person has blocked the account, or a group has removed it',
        schema: contact,
      },
    },
    actions: typingActions,
    user: user({ usrId: 'Id of the person' }, ['usrId']),
  },
  load: async () => (await import('./line.ts')).lineChannel,
  hasNoButtons: true,
}
