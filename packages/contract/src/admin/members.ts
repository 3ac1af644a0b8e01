import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { MemberRole, WorkspaceMember } from '../models/accounts/workspace-member.ts'
import { operation } from '../operation.ts'

export const members = {
  listWorkspaceMembers: operation({
    method: 'GET',
    path: '/v1/admin/workspace-members',
    access: 'workspace',
    permission: 'members.list',
    summary: 'List the members of a workspace',
    description: 'The longest-standing member comes first.',
    query: T.Object(paging),
    response: closed({ members: T.Array(WorkspaceMember), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  createWorkspaceMember: operation({
    method: 'POST',
    path: '/v1/admin/workspace-members',
    access: 'workspace',
    permission: 'members.write',
    audit: 'ADD_WORKSPACE_MEMBER',
    summary: 'Add a workspace member by e-mail address',
    description: 'Creates an account if the address has none.',
    // Clients newer than 1.82 request an invitation by e-mail. This server sends none.
    body: closed({
      email: T.String({ format: 'email', maxLength: 254 }),
      role: MemberRole,
      sendEmail: T.Optional(T.Boolean()),
    }),
    response: WorkspaceMember,
    errors: ['AlreadyExists'],
  }),
  getWorkspaceMember: operation({
    method: 'GET',
    path: '/v1/admin/workspace-members/me',
    access: 'workspace',
    permission: 'membership.read',
    summary: "Get the caller's workspace membership",
    response: WorkspaceMember,
  }),
  updateWorkspaceMember: operation({
    method: 'PUT',
    path: '/v1/admin/workspace-members/{id}',
    access: 'workspace',
    permission: 'members.write',
    audit: 'UPDATE_WORKSPACE_MEMBER',
    summary: 'Change the role of a workspace member',
    params: byId,
    body: closed({ role: T.Optional(MemberRole) }),
    response: WorkspaceMember,
    errors: ['ResourceNotFound', 'RelationConflict'],
  }),
  deleteWorkspaceMember: operation({
    method: 'DELETE',
    path: '/v1/admin/workspace-members/{id}',
    access: 'workspace',
    permission: 'members.write',
    audit: 'REMOVE_WORKSPACE_MEMBER',
    summary: 'Remove a member from the workspace',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'RelationConflict'],
  }),
}
