// Who can reach the server, and how.
import type { Config } from '../config.ts'
import { type Check, finding } from './finding.ts'

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.')

async function binding({ host, publicUrl }: Config) {
  if (isLoopback(host)) return finding('network', `listens on ${host}: this machine only`, true, '')
  return finding(
    'network',
    `listens on ${host}, for other machines`,
    publicUrl !== null,
    'say where clients reach it: BOTSTEAD_PUBLIC_URL=https://…',
    'advice',
  )
}

async function publicUrl({ publicUrl }: Config) {
  if (publicUrl === null) return null
  const { protocol, hostname } = new URL(publicUrl)
  return finding(
    'network',
    `clients reach it at ${publicUrl}`,
    protocol === 'https:' || isLoopback(hostname),
    'put TLS in front: tokens travel in every request',
  )
}

async function proxies({ publicUrl, trustProxy, host }: Config) {
  if (publicUrl === null || !isLoopback(host)) return null
  return finding(
    ...(['network', 'the proxy in front tells who calls', Boolean(trustProxy)] as const),
    ...(['set BOTSTEAD_TRUST_PROXY=1: otherwise all callers are counted as one address', 'advice'] as const),
  )
}

async function origins({ corsOrigins }: Config) {
  const isEverybody = corsOrigins.includes('*')
  const what = corsOrigins.length
    ? `browsers may use it from ${corsOrigins.join(', ')}`
    : 'browsers may use the Chat API only'
  return finding('network', what, !isEverybody, 'name the origins in BOTSTEAD_CORS_ORIGINS')
}

/** Strangers come where it listens for others, or where something in front of it does. */
const meetsStrangers = ({ host, publicUrl }: Config) =>
  !isLoopback(host) || (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname))

async function rates(config: Config) {
  if (!meetsStrangers(config)) return null
  const { requestsPerSecond, messagesPerMinute } = config.limits
  const areLimited = Number.isFinite(requestsPerSecond) && Number.isFinite(messagesPerMinute)
  const what = areLimited
    ? `${requestsPerSecond} requests a second, ${messagesPerMinute} messages a minute`
    : 'nobody is asked to slow down'
  return finding(
    'network',
    what,
    areLimited,
    'BOTSTEAD_LIMITS=strict, or the limits that fit: strangers can reach it',
    'advice',
  )
}

export const networkChecks: Check[] = [binding, publicUrl, proxies, origins, rates]
