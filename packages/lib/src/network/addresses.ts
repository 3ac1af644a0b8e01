// Determines the client's address behind proxies. Each proxy appends the address of its caller to
// X-Forwarded-For. Only entries of trusted proxies count, because clients can forge the rest.
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Returns whether the proxy at this address is trusted; `hop` counts from the server's side. */
export type Trust = (address: string, hop: number) => boolean

/**
 * Parses a number of proxies, or a list of their addresses and networks. Returns null for anything
 * else.
 */
export function parseTrust(text: string): Trust | null {
  if (text === '') return () => false
  if (/^\d{1,2}$/.test(text)) return (_, hop) => hop < Number(text)
  const list = networks(text.split(',').map((one) => one.trim()))
  return list && ((address) => includesAddress(list, address))
}

/** Parses addresses and networks such as `10.0.0.0/8`. Returns null when one of them is neither. */
export function networks(parts: string[]): BlockList | null {
  const list = new BlockList()
  return parts.every((part) => addTo(list, part)) ? list : null
}

export const includesAddress = (list: BlockList, address: string) =>
  list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

function addTo(list: BlockList, part: string): boolean {
  const [address = '', bits, more] = part.split('/')
  const version = isIP(address)
  if (!version || more !== undefined) return false
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(address, family)
  else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
    list.addSubnet(address, Number(bits), family)
  else return false
  return true
}

interface Arrived {
  socket: { remoteAddress?: string | undefined }
  headers: NodeJS.Dict<string | string[]>
}

export function clientAddress({ socket, headers }: Arrived, trusts: Trust): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((one) => plain(one.trim()))
    .reverse()
  let address = plain(socket.remoteAddress ?? '')
  for (
    let hop = 0;
    isIP(address) && trusts(address, hop) && isIP(forwarded[hop] ?? '');
    hop++
  )
    address = forwarded[hop]!
  return address
}

/** Converts an IPv4 address mapped to IPv6 back to IPv4. */
const plain = (address: string) =>
  /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address

const groupsIn = (text: string) => (text === '' ? [] : text.split(':'))

/**
 * Returns the /64 network of an IPv6 address, because a client usually owns a whole /64; IPv4
 * addresses stay as they are.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]!.toLowerCase().split('::')
  const groups = groupsIn(head)
  const groupsAfter = groupsIn(tail ?? '')
  const missing = tail === undefined ? 0 : 8 - groups.length - groupsAfter.length
  const zeros = Array<string>(Math.max(0, missing)).fill('0')
  const first = [...groups, ...zeros, ...groupsAfter].slice(0, 4)
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
