// The integration `teams`, with the channel, tags and messages of the official one.
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
} from '../definitions.ts'
import { native } from '../shown.ts'
import { guide } from './guide.ts'

const address = { type: 'string', pattern: '^https?://' }
const installation = objectSchema({ conversationTags: textSchema }, true)

export const teams: ChannelEntry = {
  name: 'teams',
  title: 'Microsoft Teams',
  description:
    'People write to an app in Teams, alone, in groups or in channels. Needs an Azure Bot at ' +
    'portal.azure.com, and a public address with HTTPS, which is the messaging endpoint of ' +
    'that bot.',
  version: '1.0.0',
  guide,
  shows: { ...native, audio: 'link', video: 'link', file: 'link', location: 'link' },
  definition: {
    configuration: configuration({
      appId: setting(
        'Microsoft App ID',
        'At portal.azure.com: your Azure Bot, Settings, Configuration, Microsoft App ID.',
      ),
      appPassword: secret(
        'Client secret',
        'At portal.azure.com: your Azure Bot, Settings, Configuration, Manage Password, New ' +
          'client secret. Copy the column "Value", not "Secret ID"; it is shown once.',
      ),
      'botType?': setting(
        'Bot type',
        'At portal.azure.com: your Azure Bot, Settings, Configuration, Bot Type. New bots are ' +
          '"Single Tenant"; Azure creates no others since 2025.',
        { enum: ['Single Tenant', 'Multi Tenant'], default: 'Single Tenant' },
      ),
      'tenantId?': setting(
        'App tenant ID',
        'Required for the type Single Tenant. At portal.azure.com: your Azure Bot, Settings, ' +
          'Configuration, App Tenant ID.',
        textSchema,
      ),
      'loginUrl?': setting(
        'Address of the login',
        'For national clouds, and tests. Default: https://login.microsoftonline.com',
        address,
      ),
      'metadataUrl?': setting(
        'Address of the metadata',
        'Where the Bot Framework describes its tokens; for national clouds, and tests. Default: ' +
          'https://login.botframework.com/v1/.well-known/openidconfiguration',
        address,
      ),
      'scope?': setting(
        'Scope',
        'For national clouds. Default: https://api.botframework.com/.default',
        textSchema,
      ),
    }),
    channels: {
      channel: channel(
        'Teams conversation',
        {
          id: 'Id of the conversation; of a thread, if it is in a channel',
          conversationType: 'personal, groupChat or channel',
          tenantId: 'Id of the organization',
          serviceUrl: 'Where Teams takes answers',
          serviceProof: 'Says that Teams itself has named this address',
        },
        { id: 'Id of the message', conversationId: 'Id of its conversation at Teams' },
      ),
    },
    events: {
      ...messageEvents,
      botAdded: {
        title: 'Bot added',
        description: 'A person has installed the app, or added it to a group or team',
        schema: installation,
      },
      botRemoved: {
        title: 'Bot removed',
        description: 'A person has removed the app',
        schema: installation,
      },
    },
    actions: {
      ...typingActions,
      startDmConversation: action(
        'Start a conversation',
        'Begins a conversation with one person, by id or e-mail address, of the organization of ' +
          'another conversation',
        objectSchema({
          conversationId: textSchema,
          'teamsUserId?': textSchema,
          'teamsUserEmail?': textSchema,
        }),
        objectSchema({ 'userId?': textSchema, conversationId: textSchema }),
      ),
    },
    user: user({ id: 'Id of the person for this bot', email: 'E-mail address' }),
  },
  load: async () => (await import('./teams.ts')).teamsChannel,
  hasNoButtons: true,
}
