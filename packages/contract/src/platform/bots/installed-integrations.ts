import { Type as T } from 'typebox'
import { closed, Done, Meta, nullable, paging } from '../../fields.ts'
import { operation } from '../../operation.ts'

const ofInstallation = T.Object({ botId: T.String(), alias: T.String() })
const path = '/v1/platform/bots/{botId}/integrations/{alias}'

export const installedIntegrations = {
  getIntegrationUses: operation({
    method: 'GET',
    path: `${path}/uses`,
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Find everything that uses an integration',
    description:
      'Lists the parts of the bot that need the integration. Counts end at 10,000. ' +
      '`references` are paths in the document of a bot made of flows.',
    params: ofInstallation,
    response: closed({
      conversations: T.Integer(),
      users: T.Integer(),
      plugins: T.Array(T.String()),
      references: T.Array(T.String()),
      registerSchedule: T.Optional(T.String()),
      identifier: T.Optional(T.String()),
      sandboxConversations: T.Integer(),
    }),
    errors: ['ResourceNotFound'],
  }),
  getIntegrationSetupLink: operation({
    method: 'GET',
    path: `${path}/setup-link`,
    access: 'workspace',
    permission: 'bots.update',
    summary: "Get an integration's set-up link",
    description:
      'Runs `linkTemplateScript` of the configuration with `webhookId` and `webhookUrl`. At the link, a ' +
      'person connects the integration to an account of the third party. Null: there is no link.',
    params: ofInstallation,
    response: closed({ url: nullable(T.String()) }),
    errors: ['ResourceNotFound', 'Runtime', 'Unavailable'],
  }),
  listSandboxConversations: operation({
    method: 'GET',
    path: `${path}/sandbox-conversations`,
    access: 'workspace',
    permission: 'data.read',
    summary: 'List conversations of the shared number',
    description:
      'Identifiers of conversations at the third party, in their order. A conversation is linked ' +
      'when a person sends the shareable id of the bot there.',
    params: ofInstallation,
    query: T.Object(paging),
    response: closed({
      conversations: T.Array(closed({ identifier: T.String() })),
      meta: Meta,
    }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  setIntegrationIdentifier: operation({
    method: 'PUT',
    path: `${path}/identifier`,
    access: 'workspace',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    summary: "Set an integration's identifier at its shared address",
    description:
      'As `configureIntegration` sets them. An identifier is taken from its previous bot in the ' +
      'workspace. `sandboxIdentifiers: null` unlinks the conversations of the shared number.',
    params: ofInstallation,
    body: closed({
      identifier: T.Optional(nullable(T.String({ minLength: 1, maxLength: 200 }))),
      sandboxIdentifiers: T.Optional(T.Null()),
    }),
    response: Done,
    errors: ['ResourceNotFound', 'AlreadyExists', 'LimitExceeded'],
  }),
}
