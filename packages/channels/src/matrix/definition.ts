// The integration `matrix`; there is no official one.
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
import { fileLinks, native, numbers } from '../shown.ts'
import { guide } from './guide.ts'

const messageId = setting('Message', 'Id of a message in this bot')

export const matrix: ChannelEntry = {
  name: 'matrix',
  title: 'Matrix',
  description:
    'People invite your bot to rooms without encryption. Needs an account on a homeserver, and no ' +
    'public address.',
  version: '1.0.0',
  guide,
  shows: { ...native, ...fileLinks, ...numbers },
  hasNoButtons: true,
  definition: {
    configuration: configuration({
      homeserver: setting(
        'Homeserver',
        'Address of the server of the account. In Element: All settings, Help & About. ' +
          'Example: https://matrix-client.matrix.org',
      ),
      accessToken: secret(
        'Access token',
        'Of an account of its own for the bot. In Element: All settings, Help & About, Access ' +
          'Token. Do not sign out of that session, which ends the token: close its window.',
      ),
      ...voiceSettings,
    }),
    channels: {
      channel: channel(
        'Room',
        { id: 'Id of the room' },
        { id: 'Id of the event', roomId: 'Id of the room' },
      ),
      thread: channel(
        'Thread',
        { id: 'Id of the room', thread: 'Id of the event that began the thread' },
        { id: 'Id of the event', roomId: 'Id of the room' },
        ['id', 'thread'],
      ),
    },
    events: messageEvents,
    actions: {
      ...typingActions,
      addReaction: action(
        'Add a reaction',
        'Reacts to a message with an emoji',
        objectSchema({ messageId, reaction: textSchema }),
      ),
      updateMessage: action(
        'Edit a message',
        'Replaces the text of a message of the bot, also where people see it',
        objectSchema({ messageId, text: textSchema }),
      ),
      deleteMessage: action(
        'Delete a message',
        'Removes the content of a message in the room',
        objectSchema({ messageId }),
      ),
    },
    user: user({ id: 'Id of the person, such as @ana:example.org' }),
  },
  load: async () => (await import('./matrix.ts')).matrixChannel,
}
