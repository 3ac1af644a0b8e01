// Sessions of browsers. The cookie counts only with the header `x-botstead-session: 1`: a page of
// another origin cannot send that header without a CORS preflight, which the server never grants. So
// requests that other pages cause have no session, whatever they send.
import { ApiError } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { recordAccountEvent } from '../audit/index.ts'
import type { Section } from '../config/index.ts'
import {
  type CallerSession,
  cookieIn,
  getAddress,
  type HttpServices,
  rateLimits,
  sessionHeader,
  toCookie,
} from '../http/index.ts'
import { lockAccount } from './accounts.ts'
import {
  createSession,
  endSession,
  isOutdated,
  type SessionAges,
  type SignInMethod,
  useSession,
  type Visit,
} from './sessions.ts'

const cookie = 'botstead-session'

/**
 * Returns the session of the request's cookie, which is renewed with `key`. Throws Unauthorized if it has
 * ended, or if the request has no or several credentials.
 */
export async function verifySession(
  services: HttpServices,
  request: FastifyRequest,
  key: Buffer,
): Promise<CallerSession> {
  const value = findCookie(services, request)
  const session = await rateLimits.lookUpGuarded(
    services,
    request,
    () => services.callers.session(value),
    () => services.callers.knownSession(value),
  )
  const now = Date.now()
  if (!session || isOutdated(session, now)) {
    if (session) await endCopiedSession(services, request, session)
    request.newCookie = emptyCookie(services, request)
    throw new ApiError('Unauthorized', 'The session has ended: sign in again')
  }
  request.credential = session.id
  request.sessionId = session.id
  const next = await useSession(services.database, key, session, {
    value,
    now,
    visit: toVisit(services, request),
    idle: toSessionAges(services).idle,
  })
  if (next !== null) request.newCookie = cookieWith(services, request, next)
  return session
}

/** Returns the session of the request, or null without a valid one. */
export async function findRequestSession(
  services: HttpServices,
  request: FastifyRequest,
): Promise<{ id: string; accountId: string } | null> {
  try {
    return await services.accounts.verifySession(services, request)
  } catch (error) {
    if (error instanceof ApiError && error.type === 'Unauthorized') return null
    throw error
  }
}

function findCookie(services: HttpServices, request: FastifyRequest): string {
  const { headers } = request
  if (headers[sessionHeader] !== '1')
    throw unauthorized(`\`${sessionHeader}\` must be \`1\``)
  if (headers.authorization !== undefined)
    throw unauthorized(
      'Send a token or a session, not both: leave out one of the headers',
    )
  // Browsers of the last years send it. For others, the header of the session is enough.
  const site = headers['sec-fetch-site'] ?? 'same-origin'
  if (site !== 'same-origin' && site !== 'none')
    throw unauthorized('A page of another origin cannot use this session')
  const value = cookieIn(services, request, cookie)
  if (value === null) throw unauthorized('There is no session: sign in')
  return value
}

const unauthorized = (message: string) => new ApiError('Unauthorized', message)

/** A browser sent a replaced value: there is a copy of the cookie. */
async function endCopiedSession(
  services: HttpServices,
  request: FastifyRequest,
  { id, accountId }: CallerSession,
) {
  const isEnded = await endSession(services.db, accountId, id).then(
    () => true,
    () => false,
  )
  if (!isEnded) return
  await services.invalidate({ accountId })
  await recordAccountEvent(services, services.database, accountId, {
    operation: 'session.copied',
    targetId: id,
    result: 'refused',
    ip: getAddress(services, request),
  })
}

/** Signs the browser in: creates a session, records that, and sets the cookie. */
async function startSession(
  services: HttpServices,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  owner: { accountId: string; method: SignInMethod },
): Promise<void> {
  const visit = toVisit(services, request)
  const { id, value } = await createSession(
    services.database,
    owner,
    visit,
    toSessionAges(services),
  )
  await recordAccountEvent(services, services.database, owner.accountId, {
    operation: `session.startedBy.${owner.method}`,
    targetId: id,
    result: 'done',
    ip: visit.address,
  })
  reply.header('set-cookie', cookieWith(services, request, value))
}

/**
 * Locks the caller's account, and throws Unauthorized if the credential of the request has ended since it was
 * checked: a request that was waiting must not leave a new credential or role. Call it within the
 * transaction that creates one.
 */
export async function requireCredential(
  { db }: Pick<HttpServices, 'db'>,
  { sessionId, tokenId }: FastifyRequest,
  accountId: string,
): Promise<void> {
  const credential =
    sessionId === null
      ? sql`select from token where id = ${tokenId}`
      : sql`select from session where id = ${sessionId}`
  await lockAccount(db, accountId)
  const { rows } = await credential.execute(db)
  if (!rows.length) throw unauthorized('The session or token has ended: sign in again')
}

export const clearSession = (
  services: HttpServices,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
) => void reply.header('set-cookie', emptyCookie(services, request))

const toVisit = (services: HttpServices, request: FastifyRequest): Visit => ({
  browser: (request.headers['user-agent'] ?? '').slice(0, 300).toWellFormed(),
  address: getAddress(services, request),
})

const toSessionAges = ({ config }: { config: Section<'signIn'> }): SessionAges => ({
  idle: config.sessionIdleHours * 3_600,
  total: config.sessionHours * 3_600,
})

const cookieWith = (services: HttpServices, request: FastifyRequest, value: string) =>
  toCookie(services, request, cookie, value, toSessionAges(services).total)

const emptyCookie = (services: HttpServices, request: FastifyRequest) =>
  toCookie(services, request, cookie, '', 0)

/** Sessions of browsers. */
export const browserSessions = {
  requireCredential,
  start: startSession,
}
