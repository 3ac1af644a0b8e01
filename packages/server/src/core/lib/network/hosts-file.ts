// Reads the hosts file of this machine, again after each change. Unlike the system's lookup, this
// needs no thread.
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'

interface Pinned {
  address: string
  family: 4 | 6
}

const file =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts'

let known = new Map<string, Pinned[]>()
let version = ''

/** Returns an empty list for a name that is not in the file. */
export function addressesInHostsFile(host: string): Pinned[] {
  refresh()
  return known.get(nameOf(host)) ?? []
}

const nameOf = (host: string) => host.toLowerCase().replace(/\.$/, '')

function refresh(): void {
  try {
    const { mtimeMs, size } = statSync(file)
    if (version === `${mtimeMs} ${size}`) return
    known = parseHosts(readFileSync(file, 'utf8'))
    version = `${mtimeMs} ${size}`
  } catch {
    // The file is missing or unreadable: lookups fall back to the DNS and the system.
    known = new Map()
    version = ''
  }
}

/** Parses lines of an address and its names; `#` begins a comment. */
export function parseHosts(text: string): Map<string, Pinned[]> {
  const found = new Map<string, Pinned[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family !== 4 && family !== 6) continue
    for (const name of names.map(nameOf))
      found.set(name, [...(found.get(name) ?? []), { address, family }])
  }
  return found
}
