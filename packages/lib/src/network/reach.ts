// Which addresses may be connected to: by hosted code without a network (BOTSTEAD_BOT_NETWORK), and
// by the server for URLs set by workspaces (BOTSTEAD_URL_NETWORK). Addresses are checked after name
// resolution, so names and unusual notations do not matter.
import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { includesAddress, networks } from './addresses.ts'

/** Returns whether an address may be connected to. */
export type Reach = (address: string) => boolean

/**
 * Parses `public`, `none`, or a list of `public`, addresses and networks. Returns null for anything
 * else.
 */
export function parseReach(text: string): Reach | null {
  const parts = text.split(',').map((one) => one.trim())
  if (parts.length === 1 && parts[0] === 'none') return () => false
  const named = networks(parts.filter((part) => part !== 'public'))
  if (!named) return null
  const everywhere = parts.includes('public')
  return (address) =>
    isIP(address) !== 0 &&
    (includesAddress(named, address) ||
      (everywhere && isPublic(address) && !isOurs(address)))
}

/**
 * Special-purpose addresses of the IANA registries: this machine, local networks, addresses that
 * embed others, unassigned ones.
 */
const special = networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',

  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])!
const global6 = networks(['2000::/3'])!
/** Where clouds serve the machine's credentials; most use 169.254.169.254, which is link-local. */
const metadata = networks([
  '169.254.169.254',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
])!
const loopback = networks(['127.0.0.0/8', '::1'])!
const linkLocal = networks(['169.254.0.0/16', 'fe80::/10'])!
const privateUse = networks([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
])!
const mapped = /^::ffff:/i

export function isPublic(address: string): boolean {
  if (mapped.test(address)) return false
  return (
    !includesAddress(special, address) &&
    (!isIPv6(address) || includesAddress(global6, address))
  )
}

/** The machine's own services are not meant for hosted code, even at a public address. */
const isOurs = (address: string) =>
  Object.values(networkInterfaces()).some((ones) =>
    ones?.some((one) => one.address.toLowerCase() === address.toLowerCase()),
  )

type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'metadata'
  | 'reserved'

/** Classifies an address; an IPv4 address mapped to IPv6 has the kind of the IPv4 address. */
export function classifyAddress(address: string): AddressKind {
  if (includesAddress(metadata, address)) return 'metadata'
  if (includesAddress(loopback, address)) return 'loopback'
  if (includesAddress(linkLocal, address)) return 'link-local'
  if (includesAddress(privateUse, address)) return 'private'
  return isPublic(address) ? 'public' : 'reserved'
}

/**
 * For workspaces of the installation's owners: also allows this machine and private networks, but
 * no metadata service.
 */
export const reachOfOwners =
  (reach: Reach): Reach =>
  (address) =>
    reach(address) ||
    (isIP(address) !== 0 &&
      ['public', 'loopback', 'private'].includes(classifyAddress(address)))

/** Returns whether the address belongs to this machine. */
export const isLocal = (address: string) =>
  isIP(address) !== 0 && (includesAddress(loopback, address) || isOurs(address))
