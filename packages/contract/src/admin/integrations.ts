import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, nullable, paging } from '../fields.ts'
import { VerificationStatus } from '../models/installation.ts'
import { Integration, IntegrationSummary } from '../models/integration.ts'
import { integrationChanges } from '../models/integration-definition.ts'
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
/** Whatever its value: who sends it knows that installed bots may break. */
const bypass = T.Object({ 'x-bypass-breaking-changes-detection': T.Optional(T.String()) })
const answer = closed({ integration: Integration })
const refusals = [
  'Forbidden',
  'AlreadyExists',
  'ReferenceNotFound',
  'InvalidIdentifier',
  'InvalidJsonSchema',
  'LimitExceeded',
] as const

/** What the listings of a workspace and of the hub have in common. `version` is a number, a range, or `latest`: the newest of each name. */
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
  sortBy: T.Optional(T.Enum(['popularity', 'name', 'createdAt', 'updatedAt', 'installCount'])),
  direction: T.Optional(T.Enum(['asc', 'desc'])),
}

export const integrations = {
  createIntegration: operation({
    method: 'POST',
    path: '/v1/admin/integrations',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Register a version of an integration, hosted here or at a URL',
    body: newIntegration,
    response: answer,
    errors: refusals,
  }),
  validateIntegrationCreation: operation({
    method: 'POST',
    path: '/v1/admin/integrations/validate',
    access: 'workspace',
    permission: 'packages.write',
    audit: false,
    summary: 'Ask whether createIntegration would take this, and do nothing',
    body: newIntegration,
    response: Done,
    errors: refusals,
  }),
  listIntegrations: operation({
    method: 'GET',
    path: '/v1/admin/integrations',
    access: 'workspace',
    permission: 'packages.read',
    summary:
      'List the versions of integrations that a workspace has registered: those under development, or the others',
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
    summary: 'Look up a version of an integration, whole',
    params: byId,
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  getIntegrationByName: operation({
    method: 'GET',
    path: '/v1/admin/integrations/{name}/{version}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Look up a version by its name and its number, a range, or `latest`',
    params: T.Object({ name: T.String(), version: T.String() }),
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  updateIntegration: operation({
    method: 'PUT',
    path: '/v1/admin/integrations/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary:
      'Change a version of an integration, or deploy its code: what is given is set, null removes, the rest stays',
    params: byId,
    headers: bypass,
    body: change,
    response: answer,
    errors: ['ResourceNotFound', 'BreakingChanges', 'ReferenceConstraint', ...refusals],
  }),
  validateIntegrationUpdate: operation({
    method: 'PUT',
    path: '/v1/admin/integrations/{id}/validate',
    access: 'workspace',
    permission: 'packages.write',
    audit: false,
    summary: 'Ask whether updateIntegration would take this, and do nothing',
    params: byId,
    headers: bypass,
    body: change,
    response: Done,
    errors: ['ResourceNotFound', 'BreakingChanges', 'ReferenceConstraint', ...refusals],
  }),
  deleteIntegration: operation({
    method: 'DELETE',
    path: '/v1/admin/integrations/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Delete a version that no bot has installed',
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
    summary:
      'Make a new secret that calls are signed with, shown once; the one before stays good for 24 hours',
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
    summary: 'Ask for the approval of an integration, which every integration has on a server of one’s own',
    body: closed({ integrationId: T.String() }),
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
