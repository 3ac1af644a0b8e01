import { ChannelError } from '../channel.ts'

/** Returns the URL. Throws ChannelError ("rejected") for one that LINE does not load; it takes no bytes. */
export function checkUrl(url: string): string {
  if (/^https:\/\//i.test(url)) return url
  throw new ChannelError(
    'rejected',
    'LINE loads files only from public addresses with HTTPS: set the public address of this server.',
  )
}
