// Resolves names for hosted code and for URLs set by workspaces: first by the hosts file, then by
// DNS, neither of which needs a thread of the libuv pool. Other system sources use a pool thread
// that files and cryptography also need, so these lookups run one at a time: slow names delay only
// each other.
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { addressesInHostsFile } from './hosts-file.ts'

interface ResolvedAddress {
  address: string
  family: 4 | 6
}

const resolver = new Resolver({ timeout: 2_000, tries: 2 })
let system: Promise<unknown> = Promise.resolve()
let waiting = 0
const maxWaiting = 32

/** Returns at least one address. Throws errors such as ENOTFOUND. */
export type LookUp = (host: string) => Promise<ResolvedAddress[]>

const lookUp: LookUp = async (host) => {
  const pinned = addressesInHostsFile(host)
  if (pinned.length > 0) return pinned
  const found = host.includes('.') ? await askDns(host) : []
  return found.length > 0 ? found : askSystem(host)
}

async function askDns(host: string): Promise<ResolvedAddress[]> {
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(host),
    resolver.resolve6(host),
  ])
  return [...addresses(four, 4), ...addresses(six, 6)]
}

const addresses = (
  answer: PromiseSettledResult<string[]>,
  family: 4 | 6,
): ResolvedAddress[] =>
  answer.status === 'fulfilled'
    ? answer.value.map((address) => ({ address, family }))
    : []

async function askSystem(host: string): Promise<ResolvedAddress[]> {
  if (waiting >= maxWaiting)
    throw Object.assign(new Error(`getaddrinfo EAI_AGAIN ${host}`), { code: 'EAI_AGAIN' })
  waiting += 1
  const answer = system.then(() =>
    lookup(host, { all: true, order: 'verbatim' } as { all: true }),
  )
  system = answer.catch(() => {})
  return (await answer.finally(() => (waiting -= 1))) as ResolvedAddress[]
}

/**
 * Creates a `lookup` for `connect` that resolves a name once, so that the checked addresses are
 * those connected to. `forbidden` creates the error when `reach` allows none of them. Node connects
 * to a literal address without a lookup, so check such an address separately.
 */
export const lookUpWithin =
  (
    reach: (address: string) => boolean,
    forbidden: (host: string, addresses: string[]) => Error,
    resolve: LookUp = lookUp,
  ): LookupFunction =>
  (host, { all }, done) => {
    resolve(host).then(
      (found) => {
        const [first, ...more] = found.filter(
          ({ address }) => isIP(address) !== 0 && reach(address),
        )
        if (!first)
          return done(
            forbidden(
              host,
              found.map(({ address }) => address),
            ),
            '',
            0,
          )
        if (all) done(null, [first, ...more])
        else done(null, first.address, first.family)
      },
      (error) => done(error, '', 0),
    )
  }
