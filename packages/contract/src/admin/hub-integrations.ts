import { Type as T } from 'typebox'
import { byId, closed, Meta } from '../fields.ts'
import {
  PublicIntegration,
  PublicIntegrationSummary,
} from '../models/integrations/integration.ts'
import { operation } from '../operation.ts'
import { integrationFilters } from './integrations.ts'

const response = closed({ integration: PublicIntegration })

/**
 * The hub of this server: integrations that its workspaces published, and built-in integrations.
 * Unlisted integrations do not appear in lists; a caller can get them by id or name.
 */
export const hubIntegrations = {
  listPublicIntegrations: operation({
    method: 'GET',
    path: '/v1/admin/hub/integrations',
    access: 'account',
    summary: 'List public integrations',
    query: T.Object(integrationFilters),
    response: closed({ integrations: T.Array(PublicIntegrationSummary), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getPublicIntegrationById: operation({
    method: 'GET',
    path: '/v1/admin/hub/integrations/{id}',
    access: 'account',
    summary: 'Get a public version of an integration',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  getPublicIntegration: operation({
    method: 'GET',
    path: '/v1/admin/hub/integrations/{name}/{version}',
    access: 'account',
    summary: 'Get a public integration by name and version',
    description: 'The version is a number, a range or `latest`.',
    params: T.Object({ name: T.String(), version: T.String() }),
    response,
    errors: ['ResourceNotFound'],
  }),
}
