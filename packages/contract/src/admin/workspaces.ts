import { Type as T } from 'typebox'
import { byId, closed, Meta, paging } from '../fields.ts'
import { Workspace } from '../models/workspace.ts'
import { operation } from '../operation.ts'

export const workspaces = {
  createWorkspace: operation({
    method: 'POST',
    path: '/v1/admin/workspaces',
    access: 'account',
    summary: 'Found a workspace; the caller owns it',
    body: closed({ name: T.String({ minLength: 1, maxLength: 64 }), billingVersion: T.Optional(T.Enum(['v1', 'v2', 'v3', 'v4'])) }),
    response: Workspace,
    errors: ['AlreadyExists'],
  }),
  listWorkspaces: operation({
    method: 'GET',
    path: '/v1/admin/workspaces',
    access: 'account',
    summary: 'List the workspaces that the caller is a member of',
    query: T.Object({ ...paging, handle: T.Optional(T.String()) }),
    response: closed({ workspaces: T.Array(Workspace), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getWorkspace: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}',
    access: 'workspace',
    permission: 'workspace.read',
    summary: 'Look up a workspace',
    params: byId,
    response: Workspace,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  updateWorkspace: operation({
    method: 'PUT',
    path: '/v1/admin/workspaces/{id}',
    access: 'workspace',
    permission: 'workspace.update',
    summary: 'Change what a workspace is called and says about itself',
    params: byId,
    body: closed({
      name: T.Optional(T.String({ minLength: 1, maxLength: 64 })),
      handle: T.Optional(T.String({ minLength: 1, maxLength: 64, pattern: '^[0-9a-z][a-z0-9-_]+[0-9a-z]$' })),
      about: T.Optional(T.String()),
      profilePicture: T.Optional(T.String()),
      contactEmail: T.Optional(T.String()),
      website: T.Optional(T.String()),
      socialAccounts: T.Optional(T.Array(T.String(), { maxItems: 5 })),
      isPublic: T.Optional(T.Boolean()),
      spendingLimit: T.Optional(T.Number({ minimum: 5, maximum: 1000 })),
    }),
    response: Workspace,
    errors: ['ResourceNotFound', 'Forbidden', 'AlreadyExists'],
  }),
  checkHandleAvailability: operation({
    method: 'PUT',
    path: '/v1/admin/workspaces/handle-availability',
    access: 'workspace',
    permission: 'workspace.read',
    summary: 'Ask whether a handle is free, and for one that is',
    body: closed({ handle: T.String({ minLength: 1, maxLength: 50, pattern: '^[a-z0-9-_]+$' }) }),
    response: closed({ available: T.Boolean(), suggestions: T.Array(T.String()), usedBy: T.Optional(T.String()) }),
  }),
}
