import { Type as T } from 'typebox'
import { closed, Done } from '../fields.ts'
import { operation } from '../operation.ts'

/** An integration inside a bot: by the id of its version, and by its alias where the bot has it several times. */
const installed = {
  access: 'workspace',
  params: T.Object({ botId: T.String(), integrationId: T.String() }),
  query: T.Object({ integrationInstanceAlias: T.Optional(T.String()) }),
  errors: ['ResourceNotFound'],
} as const
const path = '/v1/admin/bots/{botId}/integrations/{integrationId}/shareable-id'

/** What people type at a third party's number, which many bots share, to talk with this one. */
export const shareableIds = {
  createIntegrationShareableId: operation({
    ...installed,
    method: 'POST',
    path,
    permission: 'bots.update',
    summary: 'Make the shareable id of an integration inside a bot, or have it be good for another day',
    body: closed({}),
    response: closed({ shareableId: T.String() }),
    experimental: true,
  }),
  getIntegrationShareableId: operation({
    ...installed,
    method: 'GET',
    path,
    permission: 'bots.read',
    summary: 'Look up the shareable id of an integration inside a bot',
    response: closed({ shareableId: T.String(), isExpired: T.Boolean() }),
    experimental: true,
  }),
  deleteIntegrationShareableId: operation({
    ...installed,
    method: 'DELETE',
    path,
    permission: 'bots.update',
    summary: 'Delete the shareable id of an integration inside a bot; conversations that began with it go on',
    response: Done,
    experimental: true,
  }),
  unlinkSandboxedConversations: operation({
    ...installed,
    method: 'DELETE',
    path: '/v1/admin/bots/{botId}/integrations/{integrationId}/sandboxed-conversations',
    permission: 'bots.update',
    summary: 'Take back from a bot all conversations that it has by its shareable id',
    response: Done,
    experimental: true,
  }),
}
