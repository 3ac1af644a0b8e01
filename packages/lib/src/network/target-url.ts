// URLs that the server calls for a workspace: validation, and the addresses that they contain
// literally.
import { isIP } from 'node:net'

/** `message` continues the name of a field: "must be an http or https URL". */
export class UrlRejected extends Error {}

/** Throws UrlRejected for any scheme but http and https, and for a user name or password. */
export function parseTargetUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UrlRejected('must be an http or https URL')
  if (url.username !== '' || url.password !== '')
    throw new UrlRejected(
      'must not contain a user name or a password: calls are signed instead',
    )
  return url
}

/** Returns the host without the brackets of IPv6. */
export const getHost = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * Returns the address of a host that is an address in any notation (`URL` normalises octal,
 * hexadecimal and short forms) or a name of this machine. Returns null for a name that must be
 * resolved.
 */
export function literalAddress(url: URL): string | null {
  const host = getHost(url)
  if (isIP(host) !== 0) return host
  return /(^|\.)localhost\.?$/i.test(host) ? '127.0.0.1' : null
}
