import { Type as T } from 'typebox'
import { byId, closed, nullable } from '../../fields.ts'
import { Visibility } from '../../models/bots/installation.ts'
import {
  BuiltIntegration,
  BuiltInterface,
  NewBuiltIntegration,
  NewBuiltInterface,
} from '../../models/integrations/built-package.ts'
import { operation } from '../../operation.ts'

const Published = closed({
  kind: T.Enum(['interface', 'integration']),
  id: T.String(),
  name: T.String(),
  version: T.String(),
  /** `found`: the hub or the workspace had this version, with the same content. */
  state: T.Enum(['created', 'updated', 'found']),
})

export const builtPackages = {
  exportIntegration: operation({
    method: 'GET',
    path: '/v1/platform/integrations/{id}/package',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Export a built integration with its interfaces',
    description:
      'Contains its code, but no values of secrets. Only for the workspace that owns the integration; ' +
      'operators may also export those of the hub.',
    params: byId,
    response: closed({
      integration: BuiltIntegration,
      /** Null for an integration that runs at a URL. */
      code: nullable(T.String()),
      interfaces: T.Array(BuiltInterface),
    }),
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  publishPackages: operation({
    method: 'POST',
    path: '/v1/platform/packages',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Publish built integrations and interfaces',
    description:
      'Publishes all or nothing: first the interfaces, then the integrations. An interface that the hub ' +
      'has is used as it is. A version that this workspace has with other content is updated with ' +
      '`replace`, and otherwise rejected with `AlreadyExists`.',
    bodyLimit: 50 * 1_048_576,
    body: closed({
      interfaces: T.Array(NewBuiltInterface, { maxItems: 200 }),
      integrations: T.Array(NewBuiltIntegration, { maxItems: 100 }),
      /** By default private. Interfaces of unlisted integrations are public. */
      visibility: T.Optional(Visibility),
      replace: T.Optional(T.Boolean()),
    }),
    response: closed({ packages: T.Array(Published) }),
    errors: [
      'Forbidden',
      'AlreadyExists',
      'BreakingChanges',
      'ReferenceNotFound',
      'ReferenceConstraint',
      'InvalidIdentifier',
      'InvalidJsonSchema',
      'LimitExceeded',
      'QuotaExceeded',
    ],
  }),
}
