import { Type as T } from 'typebox'
import { byId, closed, Done } from '../fields.ts'
import { ApiKey, NewApiKey } from '../models/accounts/api-key.ts'
import { operation } from '../operation.ts'

export const integrationKeys = {
  listIntegrationApiKeys: operation({
    method: 'GET',
    path: '/v1/admin/integrations/iaks',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'List the API keys of an integration',
    description: 'The response does not contain the secrets.',
    query: T.Object({ integrationId: T.String() }),
    response: closed({ iaks: T.Array(ApiKey) }),
    errors: ['ResourceNotFound'],
  }),
  createIntegrationApiKey: operation({
    method: 'POST',
    path: '/v1/admin/integrations/iaks',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Create an API key of an integration',
    description:
      'The key acts as the integration in the bots that have it installed. Only this response ' +
      'contains the secret.',
    body: closed({ integrationId: T.String(), note: T.Optional(T.String()) }),
    response: NewApiKey,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  deleteIntegrationApiKey: operation({
    method: 'DELETE',
    path: '/v1/admin/integrations/iaks/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Revoke an API key of an integration',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
