// The integration `googlechat`.
import { objectSchema, textSchema } from '@botstead/contract'
import type { ChannelEntry } from '../channel.ts'
import { channel, configuration, secret, setting, user } from '../definitions.ts'
import { native } from '../shown.ts'
import { guide } from './guide.ts'

const address = { type: 'string', pattern: '^https?://' }
const membership = objectSchema({ space: textSchema }, true)

export const googlechat: ChannelEntry = {
  name: 'googlechat',
  title: 'Google Chat',
  description:
    'People write to a Chat app of Google Workspace, alone or in spaces. Needs a project with ' +
    'the Google Chat API at console.cloud.google.com, and a public address with HTTPS.',
  version: '1.0.0',
  guide,
  shows: { ...native, audio: 'link', video: 'link', file: 'link', location: 'link' },
  definition: {
    configuration: configuration({
      serviceAccountKey: secret(
        'Key of the service account',
        'The whole JSON file. At console.cloud.google.com: IAM & Admin, Service Accounts, your ' +
          'account, Keys, Add key, Create new key, JSON.',
      ),
      audience: setting(
        'Authentication audience',
        'The project number, which is on the dashboard of the project, or the HTTP endpoint ' +
          'URL, as chosen at console.cloud.google.com: Google Chat API, Configuration, ' +
          'Connection settings. Leave "Build this Chat app as a Workspace add-on" off there.',
        { type: 'string', pattern: '^\\s*(\\d+|https?://\\S+)\\s*$' },
      ),
      'apiUrl?': setting(
        'Address of the API',
        'Only for tests. Default: https://chat.googleapis.com',
        address,
      ),
      'keysUrl?': setting(
        'Address of the keys',
        "Only for tests: the public keys of Google's tokens, as JWKS. Default: those of the kind of audience",
        address,
      ),
    }),
    channels: {
      channel: channel(
        'Google Chat conversation',
        {
          id: 'Name of the space, or of the thread in a space with threads',
          space: 'Name of the space',
          thread: 'Name of the thread',
          spaceType: 'DIRECT_MESSAGE, GROUP_CHAT or SPACE',
        },
        { id: 'Name of the message', thread: 'Name of its thread' },
      ),
    },
    events: {
      botAdded: {
        title: 'Bot added',
        description: 'A person has begun a chat with the app, or added it to a space',
        schema: membership,
      },
      botRemoved: {
        title: 'Bot removed',
        description: 'A person has removed the app',
        schema: membership,
      },
    },
    actions: {},
    user: user({ id: 'Name of the person, such as users/123', email: 'E-mail address' }),
  },
  load: async () => (await import('./googlechat.ts')).googleChatChannel,
  hasNoButtons: true,
}
