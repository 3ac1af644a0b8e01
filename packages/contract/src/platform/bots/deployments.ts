import { Type as T } from 'typebox'
import { byId, closed, Moment, nullable } from '../../fields.ts'
import { operation } from '../../operation.ts'

/**
 * The code that is deployed here. `loadError`: the error when the server loaded the code at
 * deployment, with the secrets of that time. Absent if the code loaded, or if the server did not
 * try it.
 */
const Deployment = closed({
  version: T.String(),
  deployedAt: Moment,
  loadError: T.Optional(T.String()),
})

export const deployments = {
  getBotDeployment: operation({
    method: 'GET',
    path: '/v1/platform/bots/{botId}/deployment',
    access: 'workspace',
    permission: 'bots.read',
    summary: "Get a bot's deployment and its load error",
    params: T.Object({ botId: T.String() }),
    /** Null without code here: it runs at a URL (`atUrl`), or was never deployed. */
    response: closed({ deployment: nullable(Deployment), atUrl: T.Boolean() }),
    errors: ['ResourceNotFound'],
  }),
  getIntegrationDeployment: operation({
    method: 'GET',
    path: '/v1/platform/integrations/{id}/deployment',
    access: 'workspace',
    permission: 'packages.write',
    summary: "Get an integration's deployment and its load error",
    params: byId,
    /** Null without code here: it runs at a URL, or was never deployed. */
    response: closed({ deployment: nullable(Deployment) }),
    errors: ['ResourceNotFound'],
  }),
}
