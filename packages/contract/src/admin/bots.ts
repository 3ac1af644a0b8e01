import { Type as T } from 'typebox'
import {
  byId,
  closed,
  Done,
  dictionary,
  Meta,
  nullable,
  paging,
  sorting,
  Tags,
} from '../fields.ts'
import { Bot, BotSummary, BotType } from '../models/bots/bot.ts'
import { definitionChanges } from '../models/bots/bot-definition.ts'
import {
  InstallationChange,
  PluginInstallationChange,
} from '../models/bots/installation.ts'
import { operation } from '../operation.ts'

/**
 * With `x-multiple-integrations` (any value), the keys of `bot.integrations` are aliases, otherwise
 * integration ids.
 */
const headers = T.Object({ 'x-multiple-integrations': T.Optional(T.String()) })
const response = closed({ bot: Bot })
/**
 * Names of installed packages; matches bots with any of them. Clients newer than 1.82 send these.
 */
const Names = T.Array(T.String({ maxLength: 200 }), { maxItems: 100 })

export const bots = {
  createBot: operation({
    method: 'POST',
    path: '/v1/admin/bots',
    access: 'workspace',
    permission: 'bots.create',
    audit: 'CREATE_BOT',
    summary: 'Create a bot',
    headers,
    body: T.Object({
      ...definitionChanges,
      url: T.Optional(T.String()),
      dev: T.Optional(T.Boolean()),
      type: T.Optional(BotType),
    }),
    response,
    errors: ['Forbidden', 'LimitExceeded'],
  }),
  updateBot: operation({
    method: 'PUT',
    path: '/v1/admin/bots/{id}',
    access: 'workspace',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    summary: 'Update or deploy a bot',
    description:
      'Deploys code and installs integrations. Sets the given properties; null removes a property. ' +
      'All others stay unchanged.',
    params: byId,
    headers,
    body: T.Object({
      ...definitionChanges,
      url: T.Optional(nullable(T.String())),
      type: T.Optional(BotType),
      authentication: T.Optional(T.Enum(['iam', 'hmac-sha256'])),
      blocked: T.Optional(T.Boolean()),
      alwaysAlive: T.Optional(T.Boolean()),
      integrations: T.Optional(dictionary(nullable(InstallationChange))),
      plugins: T.Optional(dictionary(nullable(PluginInstallationChange))),
      layers: T.Optional(T.Array(T.String())),
      shouldMergePlugins: T.Optional(T.Boolean()),
    }),
    response,
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'Forbidden', 'LimitExceeded'],
  }),
  getBot: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Get a bot',
    params: byId,
    headers,
    query: T.Object({ shouldMergePlugins: T.Optional(T.Boolean()) }),
    response,
    errors: ['ResourceNotFound'],
  }),
  listBots: operation({
    method: 'GET',
    path: '/v1/admin/bots',
    access: 'workspace',
    permission: 'bots.list',
    summary: 'List the bots of a workspace, newest first',
    description: '`dev` selects development bots instead of deployed ones.',
    query: T.Object({
      ...paging,
      ...sorting('createdAt', 'updatedAt'),
      dev: T.Optional(T.Boolean()),
      tags: T.Optional(Tags),
      integrationNames: T.Optional(Names),
      pluginNames: T.Optional(Names),
    }),
    response: closed({ bots: T.Array(BotSummary), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  transferBot: operation({
    method: 'POST',
    path: '/v1/admin/bots/{id}/transfer',
    access: 'workspace',
    permission: 'bots.transfer',
    audit: 'TRANSFER_BOT',
    summary: 'Transfer a bot to another workspace',
    description: 'Its data moves with it.',
    params: byId,
    body: closed({ targetWorkspaceId: T.String({ minLength: 28 }) }),
    response: Done,
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
  }),
  deleteBot: operation({
    method: 'DELETE',
    path: '/v1/admin/bots/{id}',
    access: 'workspace',
    permission: 'bots.delete',
    audit: 'DELETE_BOT',
    summary: 'Delete a bot, its conversations and files',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  rotateBotSigningSecrets: operation({
    method: 'POST',
    path: '/v1/admin/bots/{id}/signing-secrets/rotate',
    access: 'workspace',
    permission: 'bots.update',
    audit: 'UPDATE_BOT_CONFIG',
    summary: 'Rotate the signing secret of a bot',
    description:
      'Earlier secrets stay valid for 24 hours. Only this response contains the new secret.',
    params: byId,
    headers,
    body: closed({}),
    response: closed({ newSigningSecret: T.String() }),
    errors: ['ResourceNotFound'],
    experimental: true,
  }),
}
