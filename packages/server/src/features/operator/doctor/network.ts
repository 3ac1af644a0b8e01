// Checks how clients reach the server: address, TLS, proxies, origins and rate limits.
import type { Section } from '../../../core/config/index.ts'
import { type DoctorCheck, finding } from './finding.ts'

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.')

async function binding({ host, publicUrl }: Section<'http'> & Section<'limits'>) {
  if (isLoopback(host))
    return finding('network', `listens on ${host}: this machine only`, true, '')
  return finding(
    'network',
    `listens on ${host}: reachable from other machines`,
    publicUrl !== null,
    'set BOTSTEAD_PUBLIC_URL to the URL at which clients reach the server',
    'advice',
  )
}

async function publicUrl({ publicUrl }: Section<'http'> & Section<'limits'>) {
  if (publicUrl === null) return null
  const { protocol, hostname } = new URL(publicUrl)
  return finding(
    'network',
    `clients use ${publicUrl}`,
    protocol === 'https:' || isLoopback(hostname),
    'put a proxy with TLS in front: every request contains a token',
  )
}

async function proxies({
  publicUrl,
  trustProxy,
  host,
}: Section<'http'> & Section<'limits'>) {
  if (publicUrl === null || !isLoopback(host)) return null
  // A server that listens on loopback and has a public URL is behind a proxy on this machine.
  const isTrusted = trustProxy('127.0.0.1', 0)
  return finding(
    'network',
    `the server ${isTrusted ? 'reads' : 'does not read'} client addresses from the proxy`,
    isTrusted,
    'set BOTSTEAD_TRUST_PROXY=1: otherwise rate limits count all clients together',
    'advice',
  )
}

async function origins({ corsOrigins }: Section<'http'> & Section<'limits'>) {
  const isAny = corsOrigins.includes('*')
  const what = corsOrigins.length
    ? `allowed browser origins: ${corsOrigins.join(', ')}`
    : 'browsers may call the Chat API only'
  return finding(
    'network',
    what,
    !isAny,
    'list the origins in BOTSTEAD_CORS_ORIGINS, without "*"',
  )
}

/** Whether the server or a proxy in front accepts connections from other machines. */
const isExposed = ({ host, publicUrl }: Section<'http'> & Section<'limits'>) =>
  !isLoopback(host) || (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname))

async function rates(config: Section<'http'> & Section<'limits'>) {
  if (!isExposed(config)) return null
  const { requestsPerSecond, messagesPerMinute } = config.limits
  const areLimited =
    Number.isFinite(requestsPerSecond) && Number.isFinite(messagesPerMinute)
  const what = areLimited
    ? `rate limits: ${requestsPerSecond} requests per second, ${messagesPerMinute} messages per minute`
    : 'no rate limits'
  return finding(
    'network',
    what,
    areLimited,
    'set BOTSTEAD_LIMITS=strict or single limits: other machines can reach the server',
    'advice',
  )
}

export const networkChecks: DoctorCheck[] = [binding, publicUrl, proxies, origins, rates]
