// Checks that a request is from Google Chat (https://developers.google.com/workspace/chat/verify-requests-from-chat).
import type { Context, ProviderRequest } from '../channel.ts'
import { readJson } from '../provider-calls.ts'
import { forged, verifyRequest } from '../tokens/signed-tokens.ts'
import type { ChatEvent } from './types.ts'

const title = 'Google Chat'
const chatAccount = 'chat@system.gserviceaccount.com'

/** Google signs for the number of a project with the keys of Chat, for an address with those of its login. */
const byNumber = {
  keysUrl: `https://www.googleapis.com/service_accounts/v1/jwk/${chatAccount}`,
  issuer: [chatAccount],
}
const byAddress = {
  keysUrl: 'https://www.googleapis.com/oauth2/v3/certs',
  issuer: ['https://accounts.google.com', 'accounts.google.com'],
}

/** Returns the event. Throws ChannelError ("forged"). */
export async function readEvent(
  context: Context,
  request: ProviderRequest,
): Promise<ChatEvent> {
  const { audience, keysUrl } = context.configuration
  const wanted = String(audience).trim()
  const isNumber = /^\d+$/.test(wanted)
  const { claims } = await verifyRequest(context, request, {
    title,
    ...(isNumber ? byNumber : byAddress),
    ...(keysUrl ? { keysUrl: String(keysUrl) } : {}),
    audience: [wanted],
  })
  const isChat = claims.email === chatAccount && claims.email_verified === true
  if (!isNumber && !isChat) throw forged({ title }, 'its token is of another account')
  return readJson(request.body) as ChatEvent
}
