// The address to which answers go. The token of the app goes there, too, so that only an address that
// Microsoft has named, or that is known to be of Microsoft, is used.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../channel.ts'
import { ChannelError } from '../channel.ts'
import { readSetting } from './api.ts'

const defaultUrl = 'https://smba.trafficmanager.net/teams/'
const known =
  /^(?:smba\.trafficmanager\.net|(?:[\w-]+\.)+(?:botframework\.com|teams\.microsoft\.(?:com|us)))$/

/** Returns the tags of a conversation with a verified address. */
export const toServiceTags = (
  context: Pick<Context, 'configuration'>,
  serviceUrl: string,
) => ({
  serviceUrl,
  serviceProof: toProof(context, serviceUrl),
})

const toProof = (context: Pick<Context, 'configuration'>, serviceUrl: string) =>
  createHmac('sha256', readSetting(context, 'appPassword'))
    .update(serviceUrl)
    .digest('base64url')

/** Throws ChannelError ("rejected") for an address that is not verified. */
export function findServiceUrl(
  context: Pick<Context, 'configuration'>,
  { serviceUrl = defaultUrl, serviceProof = '' }: Record<string, string>,
): string {
  const given = Buffer.from(serviceProof)
  const expected = Buffer.from(toProof(context, serviceUrl))
  if (given.length === expected.length && timingSafeEqual(given, expected))
    return serviceUrl
  const url = URL.canParse(serviceUrl) ? new URL(serviceUrl) : null
  if (url?.protocol === 'https:' && url.port === '' && known.test(url.hostname))
    return serviceUrl
  throw new ChannelError(
    'rejected',
    'Teams has not named the address in the tag `serviceUrl`: it is set when the person next writes',
  )
}
