import { Type as T } from 'typebox'
import { byId, closed, Done, Json } from '../fields.ts'
import { BotVersion } from '../models/bots/bot-version.ts'
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
    summary: 'List the versions of a bot, newest first',
    params: byId,
    response: closed({ versions: T.Array(BotVersion) }),
    errors: ['ResourceNotFound'],
  }),
  createBotVersion: operation({
    method: 'POST',
    path: '/v1/admin/bots/{id}/versions',
    access: 'workspace',
    permission: 'bots.update',
    summary: 'Save the bot as a version',
    description: 'A version contains the code, the definitions and the installations.',
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
    summary: 'Get a download URL of a version',
    description: 'The URL expires after one hour.',
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
    summary: 'Roll back a bot to a version',
    description:
      "Removes everything that the version does not contain. The bot's name, tags and secrets stay " +
      'unchanged.',
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
    summary: 'Export a bot as one document',
    description: 'The document contains no secrets.',
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
    summary: 'Publish a bot from a document',
    description:
      'Saves the document as a version. Errors state the path of the invalid value.',
    params: byId,
    body: closed({ botJson: Json }),
    response: Json,
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'LimitExceeded'],
  }),
}
