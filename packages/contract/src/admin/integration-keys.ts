import { Type as T } from 'typebox'
import { byId, closed, Done } from '../fields.ts'
import { ApiKey, NewApiKey } from '../models/api-key.ts'
import { operation } from '../operation.ts'

export const integrationKeys = {
  listIntegrationApiKeys: operation({
    method: 'GET',
    path: '/v1/admin/integrations/iaks',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'List the keys of an integration, without the secrets',
    query: T.Object({ integrationId: T.String() }),
    response: closed({ iaks: T.Array(ApiKey) }),
    errors: ['ResourceNotFound'],
  }),
  createIntegrationApiKey: operation({
    method: 'POST',
    path: '/v1/admin/integrations/iaks',
    access: 'workspace',
    permission: 'packages.write',
    summary:
      'Make a key that acts as an integration within the bots that have installed it; it is shown once',
    body: closed({ integrationId: T.String(), note: T.Optional(T.String()) }),
    response: NewApiKey,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  deleteIntegrationApiKey: operation({
    method: 'DELETE',
    path: '/v1/admin/integrations/iaks/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Revoke a key of an integration',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
