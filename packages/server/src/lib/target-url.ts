// URLs that the server calls for a workspace: their form, and the addresses that they state literally.
import { isIP } from 'node:net'

/** `message` continues the name of a field: "must be an http or https URL". */
export class UrlRejected extends Error {}

/** Throws UrlRejected for anything but http and https, and for a user name or password in it. */
export function parseTargetUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw new UrlRejected('must be an http or https URL')
  if (url.username !== '' || url.password !== '')
    throw new UrlRejected('must not contain a user name or a password: calls are signed instead')
  return url
}

/** Without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * The address, when the host is one in any notation (`URL` has converted octal, hexadecimal and shortened ones) or a name for this machine.
 * Null for a name that must be looked up.
 */
export function literalAddress(url: URL): string | null {
  const host = hostOf(url)
  if (isIP(host) !== 0) return host
  return /(^|\.)localhost\.?$/i.test(host) ? '127.0.0.1' : null
}
