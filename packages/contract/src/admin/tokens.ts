import { Type as T } from 'typebox'
import { byId, closed, Done } from '../fields.ts'
import { ApiKey, NewApiKey } from '../models/accounts/api-key.ts'
import { operation } from '../operation.ts'

export const tokens = {
  listPersonalAccessTokens: operation({
    method: 'GET',
    path: '/v1/admin/account/pats',
    access: 'account',
    summary: "List the caller's personal access tokens",
    description: 'The response does not contain the secrets.',
    response: closed({ pats: T.Array(ApiKey) }),
  }),
  createPersonalAccessToken: operation({
    method: 'POST',
    path: '/v1/admin/account/pats',
    access: 'account',
    summary: 'Create a personal access token',
    description:
      "The token has the caller's permissions. Only this response contains the secret.",
    body: closed({ note: T.String() }),
    response: closed({ pat: NewApiKey }),
  }),
  deletePersonalAccessToken: operation({
    method: 'DELETE',
    path: '/v1/admin/account/pats/{id}',
    access: 'account',
    summary: 'Revoke a personal access token',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
