import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { MemberRole, WorkspaceMember } from '../models/workspace-member.ts'
import { operation } from '../operation.ts'

export const members = {
  listWorkspaceMembers: operation({
    method: 'GET',
    path: '/v1/admin/workspace-members',
    access: 'workspace',
    permission: 'members.read',
    summary: 'List who is in the workspace, those first who were there first',
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
    summary: 'Let somebody in by e-mail address; whom nobody knows yet gets an account',
    // newer clients than 1.82 ask for an invitation by e-mail; this server sends none, and the answer promises none
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
    permission: 'workspace.read',
    summary: 'Look up oneself as a member',
    response: WorkspaceMember,
  }),
  updateWorkspaceMember: operation({
    method: 'PUT',
    path: '/v1/admin/workspace-members/{id}',
    access: 'workspace',
    permission: 'members.write',
    audit: 'UPDATE_WORKSPACE_MEMBER',
    summary: 'Give a member another role',
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
    summary: 'Take a member out of the workspace',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'RelationConflict'],
  }),
}
