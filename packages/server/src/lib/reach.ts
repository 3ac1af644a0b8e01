// Which addresses may be connected to: by hosted code without a network of its own (BOTSTEAD_BOT_NETWORK), and by the server itself for URLs that
// workspaces set (BOTSTEAD_URL_NETWORK). Addresses are judged after the name lookup, so neither names nor unusual notations of an address matter.
import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { holds, networks } from './addresses.ts'

/** Whether an address may be connected to. */
export type Reach = (address: string) => boolean

/** `public`, `none`, or a list of `public`, addresses and networks. Null for what is none of them. */
export function parseReach(text: string): Reach | null {
  const parts = text.split(',').map((one) => one.trim())
  if (parts.length === 1 && parts[0] === 'none') return () => false
  const named = networks(parts.filter((part) => part !== 'public'))
  if (!named) return null
  const everywhere = parts.includes('public')
  return (address) =>
    isIP(address) !== 0 && (holds(named, address) || (everywhere && isPublic(address) && !isOurs(address)))
}

/** Special purposes, by the registries of IANA: this machine, its neighbours, what carries another address inside, what leads nowhere. */
const special = networks([
  ...[
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
  ],
  ...[
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/3',
  ],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
])!
const global6 = networks(['2000::/3'])!
/** Where clouds hand out credentials to the machine; most of them are 169.254.169.254, which is link-local. */
const metadata = networks(['169.254.169.254', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200'])!
const loopback = networks(['127.0.0.0/8', '::1'])!
const linkLocal = networks(['169.254.0.0/16', 'fe80::/10'])!
const privateUse = networks(['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'])!
const mapped = /^::ffff:/i

function isPublic(address: string): boolean {
  if (mapped.test(address)) return false
  return !holds(special, address) && (!isIPv6(address) || holds(global6, address))
}

/** What this machine serves to its own network is not meant for hosted code, also where that network is public. */
const isOurs = (address: string) =>
  Object.values(networkInterfaces()).some((ones) =>
    ones?.some((one) => one.address.toLowerCase() === address.toLowerCase()),
  )

export type AddressKind = 'public' | 'loopback' | 'private' | 'link-local' | 'metadata' | 'reserved'

/** An IPv4 address mapped to IPv6 is of the kind of the IPv4 address. */
export function kindOf(address: string): AddressKind {
  if (holds(metadata, address)) return 'metadata'
  if (holds(loopback, address)) return 'loopback'
  if (holds(linkLocal, address)) return 'link-local'
  if (holds(privateUse, address)) return 'private'
  return isPublic(address) ? 'public' : 'reserved'
}

/** For workspaces that the installation's owners own: also this machine and private networks, but no metadata service. */
export const reachOfOwners =
  (reach: Reach): Reach =>
  (address) =>
    reach(address) || (isIP(address) !== 0 && ['public', 'loopback', 'private'].includes(kindOf(address)))

/** Whether the address is one of this machine's. */
export const isLocal = (address: string) =>
  isIP(address) !== 0 && (holds(loopback, address) || isOurs(address))
