// Whether providers can call this server from the internet.
import { type ChannelEntry, ChannelError } from '@botstead/channels'
import { classifyAddress, literalAddress } from '@botstead/lib'

/** Returns why providers cannot call the address, and the remedy; null if they probably can. */
export function findAddressProblem(
  { title, definition }: ChannelEntry,
  publicUrl: string,
) {
  const url = new URL(publicUrl)
  const address = literalAddress(url)
  const isPublic = address === null || classifyAddress(address) === 'public'
  if (url.protocol === 'https:' && isPublic) return null
  const { properties } = definition.configuration.schema as {
    properties: Record<string, object>
  }
  return (
    `${title} sends messages over the internet, but this server has the address "${url.origin}", which ` +
    'works only here. It needs a public address with HTTPS, such as `https://bots.example.org`: the ' +
    'operator of the server enters it at "Server settings", "Public address", or as ' +
    '`BOTSTEAD_PUBLIC_URL`. A tunnel is enough to try it' +
    ('receiveBy' in properties
      ? ', or choose "connection" as "How messages arrive", which needs no address.'
      : '.')
  )
}

/** Throws ChannelError ("rejected"). */
export function requirePublicAddress(entry: ChannelEntry, publicUrl: string): void {
  const problem = findAddressProblem(entry, publicUrl)
  if (problem !== null) throw new ChannelError('rejected', problem)
}
