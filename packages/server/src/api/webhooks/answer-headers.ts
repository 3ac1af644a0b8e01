// Which headers of an integration's answer go out from our origin. Whoever writes an integration may say what they like of their answer,
// and nothing of the connection, of this origin, or of what we say ourselves.

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

/** What the integration tells us, not the third party. */
export const interpreted = {
  identifier: 'x-bp-integration-identifier',
  noInterstitial: 'x-bp-disable-interstitial',
} as const

const mostHeaders = 64
const mostBytes = 8_192

/**
 * A page of an integration runs without this origin: it reads nothing that our own pages keep, and is nobody's session. It may do what pages of a
 * sign-in do.
 */
const sandboxed =
  'sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts allow-top-navigation'

/** The first that fit; what cannot stand in a header is left out. */
export function handedOn(headers: Record<string, string>): Record<string, string> {
  const passed = new Map<string, string>()
  let bytes = 0
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    if (notHandedOn.has(name) || Object.values<string>(interpreted).includes(name)) continue
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue
    bytes += name.length + value.length
    if (passed.size === mostHeaders || bytes > mostBytes) break
    passed.set(name, value)
  }
  const policy = passed.get('content-security-policy')
  passed.set('content-security-policy', policy ? `${policy}, ${sandboxed}` : sandboxed)
  return Object.fromEntries(passed)
}
