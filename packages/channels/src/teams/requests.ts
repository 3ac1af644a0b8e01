// Checks that a request is from the Bot Framework
// (https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication).
import { ChannelError, type Context, type ProviderRequest } from '../channel.ts'
import { readJson, toJson } from '../provider-calls.ts'
import { forged, verifyRequest } from '../tokens/signed-tokens.ts'
import { readSetting } from './api.ts'
import type { Activity } from './types.ts'

const defaultMetadataUrl =
  'https://login.botframework.com/v1/.well-known/openidconfiguration'
const title = 'Microsoft Teams'
const keptMs = 24 * 60 * 60_000
const maxKept = 1_000

interface Metadata {
  issuer: string
  keysUrl: string
}

const kept = new Map<string, { until: number; metadata: Metadata }>()

/** Throws ChannelError ("unavailable"). */
export async function findMetadata(
  context: Pick<Context, 'configuration' | 'request'>,
): Promise<Metadata> {
  const url = readSetting(context, 'metadataUrl') || defaultMetadataUrl
  const found = kept.get(url)
  if (found && found.until > Date.now()) return found.metadata
  const response = await context.request(url, { timeoutMs: 10_000, maxBytes: 2 ** 20 })
  const { issuer, jwks_uri: keysUrl } = toJson(response)
  if (
    response.status !== 200 ||
    typeof issuer !== 'string' ||
    typeof keysUrl !== 'string'
  )
    throw new ChannelError(
      'unavailable',
      `"${url}" does not describe tokens of the Bot Framework`,
    )
  const metadata = { issuer, keysUrl }
  kept.set(url, { until: Date.now() + keptMs, metadata })
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  return metadata
}

/** Returns the activity. Throws ChannelError ("forged"). */
export async function readActivity(
  context: Context,
  request: ProviderRequest,
): Promise<Activity> {
  if (!request.headers.authorization) throw forged({ title }, 'it has no token')
  const { issuer, keysUrl } = await findMetadata(context)
  const { claims, key } = await verifyRequest(context, request, {
    title,
    keysUrl,
    issuer: [issuer],
    audience: [readSetting(context, 'appId')],
  })
  const activity = readJson(request.body) as Activity
  const claimed = claims.serviceurl ?? claims.serviceUrl
  if (typeof claimed !== 'string' || !isSame(claimed, activity.serviceUrl))
    throw forged({ title }, 'its token is for another address of the service')
  const { endorsements } = key as { endorsements?: unknown }
  if (Array.isArray(endorsements) && !endorsements.includes(activity.channelId))
    throw forged({ title }, 'its key is not for this channel')
  return activity
}

const isSame = (one: string, other: unknown) =>
  typeof other === 'string' && one.replace(/\/+$/, '') === other.replace(/\/+$/, '')
