import { Type as T } from 'typebox'
import { byId, closed, Meta } from '../fields.ts'
import { PublicIntegration, PublicIntegrationSummary } from '../models/integration.ts'
import { operation } from '../operation.ts'
import { integrationFilters } from './integrations.ts'

const answer = closed({ integration: PublicIntegration })

/** The local hub: what workspaces of this server have published, and what the server brings itself. Unlisted ones are found by who knows them. */
export const hubIntegrations = {
  listPublicIntegrations: operation({
    method: 'GET',
    path: '/v1/admin/hub/integrations',
    access: 'account',
    summary: 'List the published versions of integrations',
    query: T.Object(integrationFilters),
    response: closed({ integrations: T.Array(PublicIntegrationSummary), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getPublicIntegrationById: operation({
    method: 'GET',
    path: '/v1/admin/hub/integrations/{id}',
    access: 'account',
    summary: 'Look up a published version of an integration',
    params: byId,
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  getPublicIntegration: operation({
    method: 'GET',
    path: '/v1/admin/hub/integrations/{name}/{version}',
    access: 'account',
    summary: 'Look up a published version by its name and its number, a range, or `latest`',
    params: T.Object({ name: T.String(), version: T.String() }),
    response: answer,
    errors: ['ResourceNotFound'],
  }),
}
