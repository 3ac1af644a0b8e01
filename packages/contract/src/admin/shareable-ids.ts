import { Type as T } from 'typebox'
import { closed, Done } from '../fields.ts'
import { operation } from '../operation.ts'

/**
 * Selects an installation by version id, and by alias if the bot has installed the version several
 * times.
 */
const installed = {
  access: 'workspace',
  params: T.Object({ botId: T.String(), integrationId: T.String() }),
  query: T.Object({ integrationInstanceAlias: T.Optional(T.String()) }),
  errors: ['ResourceNotFound'],
} as const
const path = '/v1/admin/bots/{botId}/integrations/{integrationId}/shareable-id'

/** A shareable id connects a person to this bot in a third-party account that many bots share. */
export const shareableIds = {
  createIntegrationShareableId: operation({
    ...installed,
    method: 'POST',
    path,
    permission: 'bots.update',
    summary: "Create or extend an integration's shareable id",
    description: 'The id expires after 24 hours.',
    body: closed({}),
    response: closed({ shareableId: T.String() }),
    experimental: true,
  }),
  getIntegrationShareableId: operation({
    ...installed,
    method: 'GET',
    path,
    permission: 'bots.read',
    summary: 'Get the shareable id of an integration',
    response: closed({ shareableId: T.String(), isExpired: T.Boolean() }),
    experimental: true,
  }),
  deleteIntegrationShareableId: operation({
    ...installed,
    method: 'DELETE',
    path,
    permission: 'bots.update',
    summary: 'Delete the shareable id of an integration',
    description: 'Conversations that began with it continue.',
    response: Done,
    experimental: true,
  }),
  unlinkSandboxedConversations: operation({
    ...installed,
    method: 'DELETE',
    path: '/v1/admin/bots/{botId}/integrations/{integrationId}/sandboxed-conversations',
    permission: 'bots.update',
    summary: 'Unlink conversations started by a shareable id',
    response: Done,
    experimental: true,
  }),
}
