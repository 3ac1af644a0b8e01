import { byId, closed } from '../../fields.ts'
import { NewApiKey } from '../../models/accounts/api-key.ts'
import { operation } from '../../operation.ts'

export const members = {
  createMemberToken: operation({
    method: 'POST',
    path: '/v1/platform/members/{id}/token',
    access: 'workspace',
    permission: 'members.write',
    summary: "Create a new member's first access token",
    description:
      "The workspace must have created the member's account. Only this response contains the secret.",
    params: byId,
    body: closed({}),
    response: closed({ pat: NewApiKey }),
    errors: ['ResourceNotFound', 'RelationConflict'],
  }),
}
