import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../../fields.ts'
import { Invitation } from '../../models/accounts/invitation.ts'
import { MemberRole } from '../../models/accounts/workspace-member.ts'
import { operation } from '../../operation.ts'

export const InvitationCode = T.String({ minLength: 1, maxLength: 100 })

export const invitations = {
  listInvitations: operation({
    method: 'GET',
    path: '/v1/platform/invitations',
    access: 'workspace',
    permission: 'members.read',
    summary: 'List invitations to the workspace, newest first',
    description: 'Contains expired ones.',
    query: T.Object(paging),
    response: closed({ invitations: T.Array(Invitation), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  createInvitation: operation({
    method: 'POST',
    path: '/v1/platform/invitations',
    access: 'workspace',
    permission: 'members.write',
    summary: 'Create an invitation link',
    description:
      'Replaces an invitation of the same address. Only this response contains the link, which works ' +
      'once, within seven days. If the operator has set a mail server, the server also sends it by ' +
      'e-mail, for each workspace at most 100 times a day; `isMailed` is true then.',
    body: closed({
      email: T.String({ format: 'email', maxLength: 254 }),
      role: MemberRole,
    }),
    response: closed({ invitation: Invitation, url: T.String(), isMailed: T.Boolean() }),
    errors: ['AlreadyExists'],
  }),
  deleteInvitation: operation({
    method: 'DELETE',
    path: '/v1/platform/invitations/{id}',
    access: 'workspace',
    permission: 'members.write',
    summary: 'Delete an invitation',
    description: 'Its link stops working.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  acceptInvitation: operation({
    method: 'POST',
    path: '/v1/platform/invitations/accept',
    access: 'account',
    summary: 'Accept an invitation',
    description:
      'For an existing account; its e-mail address must be that of the invitation.',
    body: closed({ code: InvitationCode }),
    response: closed({ workspaceId: T.String() }),
    errors: ['Forbidden', 'ResourceGone'],
  }),
}
