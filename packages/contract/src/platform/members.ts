import { byId, closed } from '../fields.ts'
import { NewApiKey } from '../models/api-key.ts'
import { operation } from '../operation.ts'

export const members = {
  createMemberToken: operation({
    method: 'POST',
    path: '/v1/platform/members/{id}/token',
    access: 'workspace',
    permission: 'members.write',
    summary:
      'Make the first token of a member whom this workspace gave an account, to hand it over; it is shown once',
    params: byId,
    body: closed({}),
    response: closed({ pat: NewApiKey }),
    errors: ['ResourceNotFound', 'RelationConflict'],
  }),
}
