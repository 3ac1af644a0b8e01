import { Type as T } from 'typebox'
import { closed } from '../fields.ts'
import { operation } from '../operation.ts'

export const introspection = {
  introspect: operation({
    method: 'POST',
    path: '/v1/admin/introspect',
    access: 'token',
    summary: 'Get the identity of a token',
    body: closed({ botId: T.String() }),
    response: closed({ workspaceId: T.String(), botId: T.String(), userId: T.String() }),
    errors: ['Forbidden'],
  }),
}
