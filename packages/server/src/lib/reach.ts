// Where hosted code may connect to, where it has no network of its own: to what is public, unless the operator says more, or less. What is not public is
// refused by address, after the name was looked up: no name, and no odd way to write an address, gets past that.
import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { holds, networks } from './addresses.ts'

/** Whether hosted code may connect to this address. */
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
