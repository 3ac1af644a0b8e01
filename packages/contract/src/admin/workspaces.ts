import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { PublicWorkspace } from '../models/public-workspace.ts'
import { Workspace } from '../models/workspace.ts'
import { operation } from '../operation.ts'

const byKey = T.Object({ key: T.String({ maxLength: 200 }) })

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
  getPublicWorkspace: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}/public',
    access: 'token',
    summary: 'Look up what a public workspace tells everybody',
    params: byId,
    response: PublicWorkspace,
    errors: ['ResourceNotFound'],
  }),
  listPublicWorkspaces: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/public',
    access: 'token',
    summary: 'List the workspaces that say they are public, newest first',
    query: T.Object({
      ...paging,
      workspaceIds: T.Optional(T.Array(T.String())),
      search: T.Optional(T.String()),
    }),
    response: closed({ workspaces: T.Array(PublicWorkspace), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getWorkspacePreference: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/preferences/{key}',
    access: 'workspace',
    permission: 'workspace.read',
    summary: 'Read what was remembered under this key for all members',
    params: byKey,
    response: closed({ value: T.Optional(T.Unknown()) }),
  }),
  setWorkspacePreference: operation({
    method: 'POST',
    path: '/v1/admin/workspaces/preferences/{key}',
    access: 'workspace',
    permission: 'preferences.write',
    summary: 'Remember something for all members, or forget it when there is no value',
    params: byKey,
    body: closed({ value: T.Optional(T.Unknown()) }),
    response: Done,
  }),
}
