import { Type as T } from 'typebox'
import { closed, Done, id, nullable } from '../../fields.ts'
import { SavedVersion } from '../../models/bots/saved-version.ts'
import { operation } from '../../operation.ts'
import { deployments } from './deployments.ts'

const path = '/v1/platform/bots/{botId}/versions'
const ofBot = T.Object({ botId: T.String() })
const byId = T.Object({ botId: T.String(), versionId: T.String() })

/**
 * The version that the bot got last. `isModified`: the bot has changed since. The names of secrets
 * do not count.
 */
const Running = closed({ versionId: id('botver'), isModified: T.Boolean() })

export const versions = {
  listVersions: operation({
    method: 'GET',
    path,
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List versions with the running one, newest first',
    description:
      'A bot has at most 200 versions. `running` is null for a bot without any.',
    params: ofBot,
    response: closed({
      versions: T.Array(SavedVersion),
      running: nullable(Running),
      /** As `getBotDeployment` returns them. */
      ...deployments.getBotDeployment.response.properties,
    }),
    errors: ['ResourceNotFound'],
  }),
  updateVersion: operation({
    method: 'PUT',
    path: `${path}/{versionId}`,
    access: 'workspace',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    summary: 'Rename or describe a version',
    description: 'Absent fields stay. An empty description removes it.',
    params: byId,
    body: closed({
      name: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
      description: T.Optional(T.String({ maxLength: 2000 })),
    }),
    response: closed({ version: SavedVersion }),
    errors: ['ResourceNotFound'],
  }),
  deleteVersion: operation({
    method: 'DELETE',
    path: `${path}/{versionId}`,
    access: 'workspace',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    summary: 'Delete a version',
    description: 'The bot keeps running, also with the state of this version.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
