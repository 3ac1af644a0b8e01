// Calls of Twilio's REST API (https://www.twilio.com/docs/messaging/api).
import type { Context } from '../channel.ts'
import { toJson } from '../provider-calls.ts'
import { toError } from './errors.ts'

type CallContext = Pick<Context, 'configuration' | 'request'>

export const getApiUrl = ({ configuration }: Pick<Context, 'configuration'>) =>
  String(configuration.apiUrl ?? 'https://api.twilio.com').replace(/\/+$/, '')

/** Messaging services have a separate host, also in regions. */
export const getMessagingUrl = (context: Pick<Context, 'configuration'>) =>
  getApiUrl(context).replace('://api.', '://messaging.')

export const getAccountSid = ({ configuration }: Pick<Context, 'configuration'>) =>
  String(configuration.accountSID).trim()

export const getAuthToken = ({ configuration }: Pick<Context, 'configuration'>) =>
  String(configuration.authToken).trim()

export const toAuthorization = (context: Pick<Context, 'configuration'>) => {
  const credentials = `${getAccountSid(context)}:${getAuthToken(context)}`
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

/** Of a resource of the account. */
export const toAccountUrl = (context: Pick<Context, 'configuration'>, path: string) =>
  `${getApiUrl(context)}/2010-04-01/Accounts/${encodeURIComponent(getAccountSid(context))}${path}`

/** Gets a resource; with fields, posts them. Returns the JSON object that Twilio answers. */
export async function call(
  context: CallContext,
  url: string,
  fields?: Record<string, string>,
): Promise<Record<string, unknown>> {
  const response = await context.request(url, {
    method: fields ? 'POST' : 'GET',
    headers: {
      authorization: toAuthorization(context),
      ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(fields && { body: new URLSearchParams(fields).toString() }),
  })
  if (response.status >= 300) throw toError(response)
  return toJson(response)
}
