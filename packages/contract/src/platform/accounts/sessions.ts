import { Type as T } from 'typebox'
import { byId, Count, closed, Done, Meta, nullable, paging } from '../../fields.ts'
import { Account } from '../../models/accounts/account.ts'
import { Session } from '../../models/accounts/session.ts'
import { operation } from '../../operation.ts'
import { type Permission, permissions, roles } from '../../permissions.ts'

const Role = T.Enum([...roles])
const Permissions = T.Array(T.Enum(Object.keys(permissions) as Permission[]))

/** The account of the caller, its workspaces, and the session of the request. */
export const SessionDetails = closed({
  account: Account,
  /** Whether the caller operates the installation: as an owner of its first workspace. */
  isOperator: T.Boolean(),
  workspaces: T.Array(
    closed({
      id: T.String(),
      name: T.String(),
      handle: T.Optional(T.String()),
      role: Role,
      permissions: Permissions,
      /** The roles that the caller may give to members, and take away. */
      givableRoles: T.Array(Role),
    }),
  ),
  session: nullable(Session),
})

export const sessions = {
  getSession: operation({
    method: 'GET',
    path: '/v1/platform/session',
    access: 'account',
    summary: "Get the caller's account, workspaces and session",
    description:
      'Returns up to 1000 workspaces, the oldest first. `session` is null for callers with a token.',
    response: SessionDetails,
  }),
  endSession: operation({
    method: 'DELETE',
    path: '/v1/platform/session',
    access: 'account',
    summary: 'Sign out',
    description: 'Ends the session of the request, and deletes its cookie.',
    response: Done,
    errors: ['InvalidPayload'],
  }),
  listSessions: operation({
    method: 'GET',
    path: '/v1/platform/sessions',
    access: 'account',
    summary: "List the caller's sessions, newest first",
    query: T.Object(paging),
    response: closed({ sessions: T.Array(Session), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  endOtherSessions: operation({
    method: 'DELETE',
    path: '/v1/platform/sessions',
    access: 'account',
    summary: "End the caller's other sessions",
    description: 'With a token, ends all sessions of the account.',
    response: closed({ ended: Count }),
  }),
  endOneSession: operation({
    method: 'DELETE',
    path: '/v1/platform/sessions/{id}',
    access: 'account',
    summary: 'End a session of the caller',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
