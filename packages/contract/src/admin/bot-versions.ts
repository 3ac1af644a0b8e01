import { Type as T } from 'typebox'
import { byId, closed, Done, Json } from '../fields.ts'
import { BotVersion } from '../models/bot-version.ts'
import { operation } from '../operation.ts'

const named = {
  name: T.String({ minLength: 1, maxLength: 200 }),
  description: T.Optional(T.String({ maxLength: 2000 })),
}

export const botVersions = {
  listBotVersions: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/versions',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List what was kept of a bot, newest first',
    params: byId,
    response: closed({ versions: T.Array(BotVersion) }),
    errors: ['ResourceNotFound'],
  }),
  createBotVersion: operation({
    method: 'POST',
    path: '/v1/admin/bots/{id}/versions',
    access: 'workspace',
    permission: 'bots.update',
    summary:
      'Keep the bot as it is now, under a name: its code, what it declares, and what is installed in it',
    params: byId,
    body: closed(named),
    response: closed({ version: BotVersion }),
    errors: ['ResourceNotFound', 'LimitExceeded'],
  }),
  getBotVersion: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/versions/{versionId}',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Get a URL, good for an hour, under which a version is there as a document',
    params: T.Object({ id: T.String(), versionId: T.String() }),
    response: closed({ url: T.String({ format: 'uri' }) }),
    errors: ['ResourceNotFound'],
  }),
  deployBotVersion: operation({
    method: 'POST',
    path: '/v1/admin/bots/{id}/versions/deploy',
    access: 'workspace',
    permission: 'bots.update',
    audit: 'DEPLOY_BOT',
    summary:
      'Make a bot what it was: what the version does not have is removed. Its name, its tags and its secrets stay',
    params: byId,
    body: closed({ versionId: T.String() }),
    response: Done,
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'LimitExceeded'],
  }),
  getBotJson: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/bot-json',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Get what a bot does as one document, without any secret',
    params: byId,
    response: Json,
    errors: ['ResourceNotFound'],
  }),
  publishFromBotJson: operation({
    method: 'POST',
    path: '/v1/admin/bots/{id}/publish-from-bot-json',
    access: 'workspace',
    permission: 'bots.update',
    audit: 'DEPLOY_BOT',
    summary:
      'Make a bot what the document says, and keep that as a version. What is wrong with the document is told with its place',
    params: byId,
    body: closed({ botJson: Json }),
    response: Json,
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'LimitExceeded'],
  }),
}
