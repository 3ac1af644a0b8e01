// Sessions of browsers. The cookie counts only with the header `x-botstead-session: 1`: a page of
// another origin cannot send that header without a CORS preflight, which cors.ts never grants. So
// requests that other pages cause have no session, whatever they send.
import { ApiError } from '@botstead/contract'
import { clientAddress } from '@botstead/lib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { CallerSession } from '../accounts/index.ts'
import {
  createSession,
  endSession,
  isOutdated,
  lockAccount,
  type SessionAges,
  type SignInMethod,
  useSession,
  type Visit,
} from '../accounts/index.ts'
import { recordAccountEvent } from '../audit/index.ts'
import type { SignInSection } from '../config/index.ts'
import { lookUpGuarded } from './limits/rate-limits.ts'
import type { HttpServices } from './services.ts'

export const sessionHeader = 'x-botstead-session'
const cookie = 'botstead-session'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the session of a request with a valid cookie. */
    sessionId: string | null
    /** The `set-cookie` header that the response should have. */
    newCookie: string | null
  }
}

export const hasSession = ({ headers }: FastifyRequest) => headers[sessionHeader] !== undefined

/**
 * Returns the session of the request's cookie. Throws Unauthorized if it has ended, or if the
 * request has no or several credentials.
 */
export async function verifySession(
  services: HttpServices,
  request: FastifyRequest,
): Promise<CallerSession> {
  const value = findCookie(services, request)
  const session = await lookUpGuarded(
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
  const next = await useSession(services.database, services.sessionKey, session, {
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
): Promise<CallerSession | null> {
  try {
    return await verifySession(services, request)
  } catch (error) {
    if (error instanceof ApiError && error.type === 'Unauthorized') return null
    throw error
  }
}

function findCookie(services: HttpServices, request: FastifyRequest): string {
  const { headers } = request
  if (headers[sessionHeader] !== '1') throw unauthorized(`\`${sessionHeader}\` must be \`1\``)
  if (headers.authorization !== undefined)
    throw unauthorized('Send a token or a session, not both: leave out one of the headers')
  // Browsers of the last years send it. For others, the header of the session is enough.
  const site = headers['sec-fetch-site'] ?? 'same-origin'
  if (site !== 'same-origin' && site !== 'none')
    throw unauthorized('A page of another origin cannot use this session')
  const value = cookieIn(services, request, cookie)
  if (value === null) throw unauthorized('There is no session: sign in')
  return value
}

/** Returns null without the cookie, and with several: another page of the host may have set one. */
export function cookieIn(
  services: Pick<HttpServices, 'publicUrl'>,
  request: FastifyRequest,
  cookie: string,
): string | null {
  const [found = []] = listCookieNames(services, request, cookie)
    .map((name) => listCookieValues(request, name))
    .filter(({ length }) => length > 0)
  return found.length === 1 ? found[0]! : null
}

export function listCookieValues(
  { headers }: Pick<FastifyRequest, 'headers'>,
  name: string,
): string[] {
  return (headers.cookie ?? '').split(';').flatMap((part) => {
    const text = part.trim()
    return text.startsWith(`${name}=`) ? [text.slice(name.length + 1)] : []
  })
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
export async function startSession(
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

/** Records that an address was proved, which ended the credentials of the account. */
export async function announceProof(
  inside: HttpServices,
  request: FastifyRequest,
  accountId: string,
): Promise<void> {
  await inside.invalidate({ accountId })
  await recordAccountEvent(inside, inside.database, accountId, {
    operation: 'account.addressProved',
    targetId: accountId,
    result: 'done',
    ip: getAddress(inside, request),
  })
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

export const getAddress = ({ config }: Pick<HttpServices, 'config'>, { raw }: FastifyRequest) =>
  clientAddress(raw, config.trustProxy)

const toVisit = (services: HttpServices, request: FastifyRequest): Visit => ({
  browser: (request.headers['user-agent'] ?? '').slice(0, 300).toWellFormed(),
  address: getAddress(services, request),
})

const toSessionAges = ({ config }: { config: SignInSection }): SessionAges => ({
  idle: config.sessionIdleHours * 3_600,
  total: config.sessionHours * 3_600,
})

const isSecure = ({ publicUrl }: Pick<HttpServices, 'publicUrl'>) =>
  publicUrl().startsWith('https:')

/**
 * With the prefix, browsers accept it only from this host, by https. Servers on several ports of
 * one host share their cookies, so the name has the port.
 */
function toCookieName(services: Pick<HttpServices, 'publicUrl'>, cookie: string): string {
  if (isSecure(services)) return `__Host-${cookie}`
  return `${cookie}-${new URL(services.publicUrl()).port || 80}`
}

/**
 * Returns the names that the cookie may have, the present one first. At another host than the public one,
 * such as the former address of the server, its cookie without the prefix counts, too.
 */
function listCookieNames(
  services: Pick<HttpServices, 'publicUrl'>,
  { headers: { host = '' } }: FastifyRequest,
  cookie: string,
): [string, ...string[]] {
  const name = toCookieName(services, cookie)
  const address = `http://${host}`
  if (!URL.canParse(address) || host === new URL(services.publicUrl()).host) return [name]
  return [name, `${cookie}-${new URL(address).port || 80}`]
}

/** Returns the name that the browser accepts at the address of the request. */
function chooseCookieName(services: HttpServices, request: FastifyRequest, cookie: string): string {
  const [name, former] = listCookieNames(services, request, cookie)
  if (former === undefined || listCookieValues(request, name).length > 0) return name
  const { origin, host } = request.headers
  return listCookieValues(request, former).length > 0 || origin === `http://${host}` ? former : name
}

const cookieWith = (services: HttpServices, request: FastifyRequest, value: string) =>
  toCookie(services, request, cookie, value, toSessionAges(services).total)

const emptyCookie = (services: HttpServices, request: FastifyRequest) =>
  toCookie(services, request, cookie, '', 0)

/** Returns the `set-cookie` header. Pages of the server cannot read such a cookie. */
export function toCookie(
  services: HttpServices,
  request: FastifyRequest,
  cookie: string,
  value: string,
  seconds: number,
): string {
  const name = chooseCookieName(services, request, cookie)
  const header = `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`
  return name.startsWith('__Host-') ? `${header}; Secure` : header
}
