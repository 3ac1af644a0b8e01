import {
  ApiError,
  type Handlers,
  mayGive,
  permissionsOf,
  type platform,
  roles,
} from '@botstead/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/index.ts'
import {
  type Contexts,
  creationPosition,
  type HttpServices,
  parsePage,
  timePosition,
  toListPage,
} from '../../../http/index.ts'
import { findAccount } from '../../accounts.ts'
import { clearSession, findRequestSession } from '../../browser-sessions.ts'
import { listMemberships } from '../../members.ts'
import {
  endOtherSessions,
  endSession,
  findSessionRow,
  listSessions,
  type SessionRow,
} from '../../sessions.ts'
import { isOperator } from '../../workspaces.ts'
import { toAccount } from '../admin/serializers.ts'

const maxWorkspaces = 1_000

export const sessions: Handlers<typeof platform.sessions, Contexts<HttpServices>> = {
  getSession: ({ services: { db }, caller, request: { sessionId } }) =>
    describeSession(db, caller.accountId, sessionId),

  async endSession({ services, caller, request, reply }) {
    const { sessionId } = request
    if (sessionId === null)
      throw new ApiError(
        'InvalidPayload',
        'The request has a token and no session: revoke the token',
      )
    await endSession(services.db, caller.accountId, sessionId)
    await services.invalidate({ accountId: caller.accountId })
    clearSession(services, { request, reply })
    return {}
  },

  async listSessions({ services, caller, request }, { query }) {
    const page = parsePage(services, ['platform.listSessions', caller.accountId], query)
    const rows = await listSessions(services.db, caller.accountId, {
      after: timePosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, creationPosition)
    return { sessions: items.map((row) => toSession(row, request.sessionId)), meta }
  },

  async endOtherSessions({ services, caller: { accountId }, request }) {
    const ended = await endOtherSessions(services.db, accountId, request.sessionId)
    await services.invalidate({ accountId })
    return { ended }
  },

  async endOneSession({ services, caller: { accountId } }, { params }) {
    await endSession(services.db, accountId, params.id)
    await services.invalidate({ accountId })
    return {}
  },
}

/** Returns the session of the request, or null without a valid one. */
export async function describeRequestSession(
  services: HttpServices,
  request: FastifyRequest,
) {
  const found = await findRequestSession(services, request)
  return found && describeSession(services.db, found.accountId, found.id)
}

/** `sessionId` is null for callers with a token. */
async function describeSession(db: Db, accountId: string, sessionId: string | null) {
  const session = sessionId === null ? null : await findSessionRow(db, sessionId)
  const memberships = await listMemberships(db, accountId, maxWorkspaces)
  return {
    account: toAccount(await findAccount(db, accountId)),
    isOperator: await isOperator(db, accountId),
    workspaces: memberships.map(({ id, name, handle, role }) => ({
      id,
      name,
      role,
      permissions: permissionsOf(role),
      givableRoles: roles.filter((other) => mayGive(role, other)),
      ...(handle !== null && { handle }),
    })),
    session: session && toSession(session, sessionId),
  }
}

const toSession = (row: SessionRow, current: string | null) => ({
  id: row.id,
  method: row.method,
  browser: row.browser,
  address: row.address,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  isCurrent: row.id === current,
})
