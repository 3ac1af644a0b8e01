// Looks up names on behalf of hosted code. Names are asked of the DNS without a thread of ours; what only the system knows (its hosts file, for one) takes a
// thread that files and keys need too, so those are looked up one at a time: code that asks for slow names slows nothing but such names.
import { lookup, Resolver } from 'node:dns/promises'

export interface Address {
  address: string
  family: 4 | 6
}

const resolver = new Resolver({ timeout: 2_000, tries: 2 })
let system: Promise<unknown> = Promise.resolve()
let waiting = 0
const waitingMost = 32

/** One address at least. Throws ENOTFOUND and the like. */
export async function lookUp(host: string): Promise<Address[]> {
  const found = host.includes('.') ? await askDns(host) : []
  return found.length > 0 ? found : askSystem(host)
}

async function askDns(host: string): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return [...addresses(four, 4), ...addresses(six, 6)]
}

const addresses = (answer: PromiseSettledResult<string[]>, family: 4 | 6): Address[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []

async function askSystem(host: string): Promise<Address[]> {
  if (waiting >= waitingMost)
    throw Object.assign(new Error(`getaddrinfo EAI_AGAIN ${host}`), { code: 'EAI_AGAIN' })
  waiting += 1
  const answer = system.then(() => lookup(host, { all: true, order: 'verbatim' } as { all: true }))
  system = answer.catch(() => {})
  return (await answer.finally(() => (waiting -= 1))) as Address[]
}
