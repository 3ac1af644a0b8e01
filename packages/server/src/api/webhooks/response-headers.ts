// Filters the headers of an integration's response. Integrations may describe their content, but
// not set headers of the connection, of this origin, or headers that the server sets itself.

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

/** Returns the allowed headers up to the limits. Drops headers with invalid characters. */
export function forwardedHeaders(headers: Record<string, string>): Record<string, string> {
  const passed = new Map<string, string>()
  let bytes = 0
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    if (notHandedOn.has(name) || Object.values<string>(interpreted).includes(name)) continue
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue
    bytes += name.length + value.length
    if (passed.size === maxHeaders || bytes > maxBytes) break
    passed.set(name, value)
  }
  const policy = passed.get('content-security-policy')
  passed.set('content-security-policy', policy ? `${policy}, ${sandboxed}` : sandboxed)
  return Object.fromEntries(passed)
}
