import { Type as T } from 'typebox'
import { byId, closed, Done } from '../fields.ts'
import { ApiKey, NewApiKey } from '../models/accounts/api-key.ts'
import { operation } from '../operation.ts'

export const botKeys = {
  listBotApiKeys: operation({
    method: 'GET',
    path: '/v1/admin/bots/baks',
    access: 'workspace',
    permission: 'keys.read',
    summary: 'List the API keys of a bot',
    description: 'The response does not contain the secrets.',
    query: T.Object({ botId: T.String() }),
    response: closed({ baks: T.Array(ApiKey) }),
    errors: ['ResourceNotFound'],
  }),
  createBotApiKey: operation({
    method: 'POST',
    path: '/v1/admin/bots/baks',
    access: 'workspace',
    permission: 'keys.write',
    summary: 'Create an API key of a bot',
    description: 'Only this response contains the secret.',
    body: closed({ botId: T.String(), note: T.Optional(T.String()) }),
    response: NewApiKey,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  deleteBotApiKey: operation({
    method: 'DELETE',
    path: '/v1/admin/bots/baks/{id}',
    access: 'workspace',
    permission: 'keys.write',
    summary: 'Revoke an API key of a bot',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
