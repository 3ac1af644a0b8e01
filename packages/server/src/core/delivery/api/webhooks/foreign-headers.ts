// Filters the headers of responses that tenants' code writes, at webhooks and through tunnels, and
// the cookies that it gets. Code may describe its content, but not set headers of the connection, of
// this origin, or headers that the server sets itself.

const ofTheConnection = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authentication-info',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'date',
]
const ofTheOrigin = [
  'set-cookie',
  'set-cookie2',
  'clear-site-data',
  'strict-transport-security',
  'public-key-pins',
  'expect-ct',
  'alt-svc',
  'nel',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'origin-agent-cluster',
  'critical-ch',
  'accept-ch',
  'observe-browsing-topics',
  'supports-loading-mode',
  'set-login',
  'activate-storage-access',
]
/** Effects in browsers beyond the content. Programs call tunnels, so their responses need none. */
const ofBrowsers = [
  'refresh',
  'link',
  'speculation-rules',
  'no-vary-search',
  'sourcemap',
  'x-sourcemap',
  'content-security-policy',
  'content-security-policy-report-only',
  'permissions-policy',
  'document-policy',
]
const prefixesOfBrowsers = [
  'access-control-',
  'cross-origin-',
  'attribution-reporting-',
  'sec-',
]
const ours = [
  'x-request-id',
  'x-content-type-options',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
]
const notHandedOn = new Set([...ofTheConnection, ...ofTheOrigin, ...ours])

/** Headers for the server, not for the third party. */
export const interpreted = {
  identifier: 'x-bp-integration-identifier',
  noInterstitial: 'x-bp-disable-interstitial',
} as const

const maxHeaders = 64
const maxBytes = 8_192

/**
 * Pages of integrations run in a sandbox without this origin: they cannot read data of the server's
 * own pages, and have no session. They may do what sign-in pages need.
 */
const sandboxed =
  'sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox ' +
  'allow-scripts allow-top-navigation'

/**
 * Returns the allowed headers of a response through a tunnel: browsers must not run its pages with
 * this origin's permissions.
 */
export const tunneledHeaders = <Value>(
  headers: Record<string, Value>,
): Record<string, Value> => ({
  ...Object.fromEntries(
    Object.entries(headers).filter(([name]) => isTunneled(name.toLowerCase())),
  ),
  'content-security-policy': 'sandbox' as Value,
})

const isTunneled = (name: string) =>
  !notHandedOn.has(name) &&
  !ofBrowsers.includes(name) &&
  !prefixesOfBrowsers.some((prefix) => name.startsWith(prefix))

/** Removes the cookies of this server, of people who open the address in their browser. */
export function foreignCookies(cookie: string): string | undefined {
  const others = cookie
    .split(';')
    .filter((one) => !/^\s*(?:__Host-)?botstead-/i.test(one))
  return others.length > 0 ? others.join(';').trim() : undefined
}

/** Returns the allowed headers up to the limits. Drops headers with invalid characters. */
export function forwardedHeaders(
  headers: Record<string, string>,
): Record<string, string> {
  const passed = new Map<string, string>()
  let bytes = 0
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    if (notHandedOn.has(name) || Object.values<string>(interpreted).includes(name))
      continue
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      continue
    bytes += name.length + value.length
    if (passed.size === maxHeaders || bytes > maxBytes) break
    passed.set(name, value)
  }
  const policy = passed.get('content-security-policy')
  passed.set('content-security-policy', policy ? `${policy}, ${sandboxed}` : sandboxed)
  return Object.fromEntries(passed)
}
