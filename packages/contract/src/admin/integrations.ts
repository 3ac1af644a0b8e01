import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, nullable, paging } from '../fields.ts'
import { VerificationStatus } from '../models/bots/installation.ts'
import { Integration, IntegrationSummary } from '../models/integrations/integration.ts'
import { integrationChanges } from '../models/integrations/integration-definition.ts'
import { operation } from '../operation.ts'

const newIntegration = T.Object({
  ...integrationChanges,
  name: T.String({ maxLength: 200 }),
  version: T.String({ maxLength: 200 }),
  url: T.Optional(T.String()),
  dev: T.Optional(T.Boolean()),
})
const change = T.Object({
  ...integrationChanges,
  url: T.Optional(nullable(T.String())),
  /** In seconds. */
  maxExecutionTime: T.Optional(T.Integer()),
})
/**
 * Any value. The caller accepts that the change may break bots that have the integration installed.
 */
const bypass = T.Object({ 'x-bypass-breaking-changes-detection': T.Optional(T.String()) })
const response = closed({ integration: Integration })
const writeErrors = [
  'Forbidden',
  'AlreadyExists',
  'ReferenceNotFound',
  'InvalidIdentifier',
  'InvalidJsonSchema',
  'LimitExceeded',
] as const

/**
 * Query parameters of the lists of a workspace and of the hub.
 * `version` is a number, a range, or `latest` for the newest of each name.
 */
export const integrationFilters = {
  ...paging,
  limit: T.Optional(T.Number()),
  name: T.Optional(T.String()),
  version: T.Optional(T.String()),
  interfaceId: T.Optional(T.String()),
  interfaceName: T.Optional(T.String()),
  installedByBotId: T.Optional(T.String()),
  verificationStatus: T.Optional(VerificationStatus),
  search: T.Optional(T.String()),
  sortBy: T.Optional(
    T.Enum(['popularity', 'name', 'createdAt', 'updatedAt', 'installCount']),
  ),
  direction: T.Optional(T.Enum(['asc', 'desc'])),
}

export const integrations = {
  createIntegration: operation({
    method: 'POST',
    path: '/v1/admin/integrations',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Create a version of an integration',
    description: 'Its code runs on this server or at a URL.',
    body: newIntegration,
    response,
    errors: writeErrors,
  }),
  validateIntegrationCreation: operation({
    method: 'POST',
    path: '/v1/admin/integrations/validate',
    access: 'workspace',
    permission: 'packages.write',
    audit: false,
    summary: 'Validate a request to create an integration',
    description: 'Changes nothing.',
    body: newIntegration,
    response: Done,
    errors: writeErrors,
  }),
  listIntegrations: operation({
    method: 'GET',
    path: '/v1/admin/integrations',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'List the integrations of a workspace',
    description:
      'Returns all versions. `dev` selects development versions instead of deployed ones.',
    query: T.Object({
      ...integrationFilters,
      visibility: T.Optional(T.Enum(['public', 'private'])),
      dev: T.Optional(T.Boolean()),
    }),
    response: closed({ integrations: T.Array(IntegrationSummary), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getIntegration: operation({
    method: 'GET',
    path: '/v1/admin/integrations/{id}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Get a version of an integration',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  getIntegrationByName: operation({
    method: 'GET',
    path: '/v1/admin/integrations/{name}/{version}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Get an integration by name and version',
    description: 'The version is a number, a range or `latest`.',
    params: T.Object({ name: T.String(), version: T.String() }),
    response,
    errors: ['ResourceNotFound'],
  }),
  updateIntegration: operation({
    method: 'PUT',
    path: '/v1/admin/integrations/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Update or deploy a version of an integration',
    description:
      'Sets the given properties; null removes a property. All others stay unchanged.',
    params: byId,
    headers: bypass,
    body: change,
    response,
    errors: [
      'ResourceNotFound',
      'BreakingChanges',
      'ReferenceConstraint',
      ...writeErrors,
    ],
  }),
  validateIntegrationUpdate: operation({
    method: 'PUT',
    path: '/v1/admin/integrations/{id}/validate',
    access: 'workspace',
    permission: 'packages.write',
    audit: false,
    summary: 'Validate a request to update an integration',
    description: 'Changes nothing.',
    params: byId,
    headers: bypass,
    body: change,
    response: Done,
    errors: [
      'ResourceNotFound',
      'BreakingChanges',
      'ReferenceConstraint',
      ...writeErrors,
    ],
  }),
  deleteIntegration: operation({
    method: 'DELETE',
    path: '/v1/admin/integrations/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Delete a version of an integration',
    description: 'No bot may have it installed.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'ReferenceConstraint', 'Forbidden'],
  }),
  rotateIntegrationSigningSecrets: operation({
    method: 'POST',
    path: '/v1/admin/integrations/{id}/signing-secrets/rotate',
    access: 'workspace',
    experimental: true,
    permission: 'packages.write',
    summary: 'Rotate the signing secret of an integration',
    description:
      'The previous secret stays valid for 24 hours. Only this response contains the new secret.',
    params: byId,
    body: closed({}),
    response: closed({ newSigningSecret: T.String() }),
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  requestIntegrationVerification: operation({
    method: 'POST',
    path: '/v1/admin/integrations/request-verification',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Request verification of an integration',
    description: 'A self-hosted server verifies every integration.',
    body: closed({ integrationId: T.String() }),
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
