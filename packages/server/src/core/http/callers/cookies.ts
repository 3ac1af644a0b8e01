// Cookies of the server, which its pages cannot read.
import type { FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'

type Addressed = Pick<Services, 'publicUrl'>

/** Returns null without the cookie, and with several: another page of the host may have set one. */
export function cookieIn(
  services: Addressed,
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

/** Returns the `set-cookie` header. Pages of the server cannot read such a cookie. */
export function toCookie(
  services: Addressed,
  request: FastifyRequest,
  cookie: string,
  value: string,
  seconds: number,
): string {
  const name = chooseCookieName(services, request, cookie)
  const header = `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`
  return name.startsWith('__Host-') ? `${header}; Secure` : header
}

const isSecure = ({ publicUrl }: Addressed) => publicUrl().startsWith('https:')

/**
 * With the prefix, browsers accept it only from this host, by https. Servers on several ports of
 * one host share their cookies, so the name has the port.
 */
function toCookieName(services: Addressed, cookie: string): string {
  if (isSecure(services)) return `__Host-${cookie}`
  return `${cookie}-${new URL(services.publicUrl()).port || 80}`
}

/**
 * Returns the names that the cookie may have, the present one first. At another host than the public one,
 * such as the former address of the server, its cookie without the prefix counts, too.
 */
function listCookieNames(
  services: Addressed,
  { headers: { host = '' } }: FastifyRequest,
  cookie: string,
): [string, ...string[]] {
  const name = toCookieName(services, cookie)
  const address = `http://${host}`
  if (!URL.canParse(address) || host === new URL(services.publicUrl()).host) return [name]
  return [name, `${cookie}-${new URL(address).port || 80}`]
}

/** Returns the name that the browser accepts at the address of the request. */
function chooseCookieName(
  services: Addressed,
  request: FastifyRequest,
  cookie: string,
): string {
  const [name, former] = listCookieNames(services, request, cookie)
  if (former === undefined || listCookieValues(request, name).length > 0) return name
  const { origin, host } = request.headers
  return listCookieValues(request, former).length > 0 || origin === `http://${host}`
    ? former
    : name
}
