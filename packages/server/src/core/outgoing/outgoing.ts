// All requests that the server makes for workspaces: to bots and integrations at URLs, and to chat
// webhooks. Invariant: the server connects only to addresses that the workspace may reach, each
// checked after a single name lookup. So there is no DNS rebinding, proxies of the environment are
// ignored, and redirects are returned as responses. Each kind of workspace has separate
// connections, so none is reused where opening it would be forbidden.
import { isIP } from 'node:net'
import { ApiError } from '@botstead/contract'
import {
  classifyAddress,
  getHost,
  isLocal,
  type LookUp,
  literalAddress,
  lookUpWithin,
  parseTargetUrl,
  type Reach,
  reachOfOwners,
  UrlRejected,
} from '@botstead/lib'
import { InvocationFailed } from '@botstead/sandbox'
import { Agent, buildConnector, type Dispatcher, errors } from 'undici'

interface OutgoingOptions {
  /** Returns whether the installation's owners own the workspace. */
  isOwners: (workspaceId: string) => Promise<boolean>
  /** From BOTSTEAD_URL_NETWORK. */
  reach: Reach
  /** The URLs of this server's tunnels: its own address first, then those that clients use. */
  tunnels: () => TunnelAddresses
  /** For tests. */
  lookUp?: LookUp | undefined
}
interface TunnelAddresses {
  own: URL
  /** Whether the server listens on all addresses of this machine, not only on that of `own`. */
  everywhere: boolean
  others: URL[]
}

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>
/** Throws InvocationFailed (`not-allowed`) before sending anything, and undici's errors. */
type Send = (url: string, options: RequestOptions) => Promise<Dispatcher.ResponseData>

export interface Outgoing {
  /** Returns a sender for a workspace; null is for the server's own URLs. */
  for(workspaceId: string | null): Promise<Send>
  /**
   * Returns an address of the host that the workspace may reach, for connections of other protocols than
   * HTTP. Throws InvocationFailed.
   */
  resolve(workspaceId: string | null, host: string): Promise<string>
  /**
   * Throws InvalidPayload for a URL that calls would reject. Checks literal addresses only: names
   * are resolved at each call.
   */
  checkUrl(workspaceId: string, field: string, url: string): Promise<void>
  close(): Promise<void>
}

const connectTimeoutMs = 10_000
const neutral = 'The URL leads to an address that this server does not connect to'

export function openOutgoing({
  isOwners,
  reach,
  tunnels,
  lookUp,
}: OutgoingOptions): Outgoing {
  const owners = openAgent(connectWithin(reachOfOwners(reach), lookUp))
  const others = openAgent(connectWithin(reach, lookUp))
  // A separate agent: its connections serve tunnel paths only, so requests for other paths of this
  // server never reuse them.
  const toTunnels = openAgent((target, done) =>
    connectWithin(tunnelReach(tunnels(), target, reach), lookUp)(target, done),
  )
  const isTrusted = async (workspaceId: string | null) =>
    workspaceId === null || (await isOwners(workspaceId))
  return {
    async for(workspaceId) {
      const agent = (await isTrusted(workspaceId)) ? owners : others
      return async (text, options) => {
        const url = parsed(text)
        const { origin, pathname, search } = url
        const dispatcher =
          agent === others && mayBeTunnel(tunnels, url) ? toTunnels : agent
        return dispatcher.request({ ...options, origin, path: pathname + search })
      }
    },
    async resolve(workspaceId, host) {
      const allows = (await isTrusted(workspaceId)) ? reachOfOwners(reach) : reach
      return resolveWithin(allows, lookUp, host)
    },
    async checkUrl(workspaceId, field, text) {
      const url = parsedField(field, text)
      const address = literalAddress(url)
      if (address === null) return
      const trusted = await isTrusted(workspaceId)
      const allows = trusted ? reachOfOwners(reach) : reach
      if (allows(address) || (!trusted && isTunnel(tunnels, url, address))) return
      throw new ApiError(
        'InvalidPayload',
        `\`${field}\`: this workspace may not use "${getHost(url)}", ${describe([address])}. ${remedy}`,
      )
    },
    async close() {
      await Promise.all([owners, others, toTunnels].map((agent) => agent.destroy()))
    },
  }
}

type Connect = buildConnector.connector

/**
 * Opens as many connections as there are calls, so a slow response delays no others. Callers set
 * deadlines.
 */
const openAgent = (connect: Connect) =>
  new Agent({ headersTimeout: 0, bodyTimeout: 0, connect })

function connectWithin(reach: Reach, lookUp: LookUp | undefined): Connect {
  const lookup = lookUpWithin(reach, notAllowed, lookUp)
  const connect = buildConnector({ timeout: connectTimeoutMs, ...({ lookup } as object) })
  return (target, done) => {
    const { hostname } = target
    // Node connects to a literal address without a lookup.
    if (isIP(hostname) && !reach(hostname))
      return done(notAllowed(hostname, [hostname]), null)
    connect(target, done)
  }
}

function resolveWithin(
  reach: Reach,
  lookUp: LookUp | undefined,
  host: string,
): Promise<string> {
  if (isIP(host))
    return reach(host) ? Promise.resolve(host) : Promise.reject(notAllowed(host, [host]))
  return new Promise((resolve, reject) => {
    lookUpWithin(reach, notAllowed, lookUp)(host, { all: false }, (error, address) => {
      if (!error) return resolve(String(address))
      const reason = `The server cannot find "${host}": ${error.message}`
      reject(
        error instanceof InvocationFailed
          ? error
          : new InvocationFailed('unreachable', reason),
      )
    })
  })
}

/**
 * Converts an error of `Send`. The message names the host with its port, and nothing else of the URL:
 * the path and query may contain secrets.
 */
export function toUnreachable(error: unknown, url: string): InvocationFailed {
  if (error instanceof InvocationFailed) return error
  return new InvocationFailed(
    'unreachable',
    `The server cannot reach "${new URL(url).host}": ${findReason(error)}`,
  )
}

function findReason(error: unknown): string {
  if (error instanceof errors.ConnectTimeoutError)
    return `no connection within ${connectTimeoutMs / 1_000} s`
  // The error of several addresses has no message.
  const { code, message } = error as Error & { code?: string }
  return message || code || String(error)
}

const remedy =
  'Use another address, or ask the operator to allow this one (BOTSTEAD_URL_NETWORK).'

const notAllowed = (host: string, addresses: string[]) =>
  new InvocationFailed(
    'not-allowed',
    neutral,
    null,
    `The server does not connect to "${host}" for this workspace: it is ${describe(addresses)}. ${remedy}`,
  )

function describe(addresses: string[]): string {
  const kinds = [...new Set(addresses.map(nameOfKind))]
  return kinds.join(' and ') || 'no address'
}

/** A public address of this machine is not allowed for URLs either. */
function nameOfKind(address: string): string {
  const kind = classifyAddress(address)
  return kind === 'public' && isLocal(address)
    ? 'an address of this server'
    : `a ${kind} address`
}

function parsed(text: string): URL {
  try {
    return parseTargetUrl(text)
  } catch (error) {
    if (!(error instanceof UrlRejected)) throw error
    throw new InvocationFailed('not-allowed', neutral, null, `The URL ${error.message}`)
  }
}

function parsedField(field: string, text: string): URL {
  try {
    return parseTargetUrl(text)
  } catch (error) {
    throw error instanceof UrlRejected
      ? new ApiError('InvalidPayload', `\`${field}\` ${error.message}`)
      : error
  }
}

/**
 * `/<tunnel id>` and paths below it; no other route of the server begins with so long a segment.
 */
const tunnelPath = /^\/[\w-]{20,64}(?:\/|$)/

const getPort = ({ protocol, port }: { protocol: string; port: string }) =>
  port || (protocol === 'https:' ? '443' : '80')

/** Recognizes a tunnel by its path and port; the address is checked when connecting. */
function mayBeTunnel(tunnels: OutgoingOptions['tunnels'], url: URL): boolean {
  if (!tunnelPath.test(url.pathname)) return false
  const { own, others } = tunnels()
  return [own, ...others].some(
    (one) => one.protocol === url.protocol && getPort(one) === getPort(url),
  )
}

const isTunnel = (tunnels: OutgoingOptions['tunnels'], url: URL, address: string) =>
  mayBeTunnel(tunnels, url) && tunnelReach(tunnels(), url, () => false)(address)

/**
 * Allows tunnels at any address of the names that the operator configured for this server,
 * otherwise only at its own addresses.
 */
function tunnelReach(
  { own, everywhere, others }: TunnelAddresses,
  target: { protocol: string; hostname: string; port: string },
  reach: Reach,
): Reach {
  const isAt = (one: URL) =>
    one.protocol === target.protocol && getPort(one) === getPort(target)
  const name = target.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (others.some((one) => isAt(one) && getHost(one) === name)) return () => true
  const isOwn = (address: string) =>
    everywhere ? isLocal(address) : address === getHost(own)
  return (address) => reach(address) || (isAt(own) && isOwn(address))
}
