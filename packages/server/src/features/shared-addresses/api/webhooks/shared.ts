// One address for all bots of an integration: /integration/global/{name}. The integration's script
// extracts an identifier from the request, which selects the bot. Without an identifier, the
// integration's other script responds, as third parties require before they send anything.
//
// Bots have different versions. A bot is selected by the script of its version, which knows the
// form of its identifiers; a script that several versions share runs once. Only the newest version
// responds to requests without an identifier.
import { ApiError } from '@botstead/contract'
import {
  addressIn,
  type DeliveryServices,
  forwardToIntegration,
  sendResponse,
  type WebhookRequest,
  webhooks,
} from '../../../../core/delivery/index.ts'
import {
  type RateServices,
  rateLimits,
  type Services,
} from '../../../../core/http/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import type { ScriptServices } from '../../services.ts'
import {
  findByIdentifiers,
  findSharedAddress,
  type SharedAddress,
  type SharedVersion,
} from '../../shared-address.ts'
import { VrlFailed } from '../../vrl/vrl.ts'
import { inSandbox, isSandbox } from './sandbox.ts'
import { type Scripts, scriptsFor } from './scripts.ts'
import type { SharedTarget } from './shared-target.ts'

export type SharedServices = DeliveryServices &
  RateServices &
  RealtimeServices &
  ScriptServices

/** Limit of bodies that scripts read. GitHub sends the largest: up to 25 MB. */
const maxBodyBytes = 25 * 1_048_576

export async function serveShared(
  knock: WebhookRequest<SharedServices>,
  segments: number,
) {
  const { services, request, reply } = knock
  const { name, length } = await nameIn(services, addressIn(request.url, segments).path)
  rateLimits.countWebhook(services, { shared: `${name.owner} ${name.name}` }, reply)
  knock.reservation.assign(`integrations of ${name.owner}`)
  const received = await webhooks.read(knock, segments + length, maxBodyBytes)
  const scripts = scriptsFor(knock, `integrations of ${name.owner}`, received)
  const found = await (isSandbox(received)
    ? inSandbox(services, name, scripts)
    : byIdentifier(services, name, scripts)
  ).catch(tooMany)
  if (!found) {
    const [newest] = name.versions as [SharedVersion]
    const answer = await scripts
      .answer(newest.identifier.fallbackHandlerScript, newest)
      .catch(tooMany)
    if (!answer) throw webhooks.notFound()
    return sendResponse(reply, answer)
  }
  const installation = await webhooks.findInstallation(services, found.webhookId)
  rateLimits.countWebhook(services, installation.bot_id, reply)
  const answer = await forwardToIntegration(
    services,
    installation,
    { ...received, headers: { ...received.headers, ...found.headers } },
    knock.reservation,
  )
  await found.afterResponse?.()
  return sendResponse(reply, answer)
}

/**
 * A name may contain a slash after its workspace's handle. It then takes two segments, unless the
 * slash is written as %2F.
 */
async function nameIn(
  { db }: Services,
  path: string,
): Promise<{ name: SharedAddress; length: number }> {
  const [first = '', second] = path.split('/').filter(Boolean).map(decodeURIComponent)
  const both = `${first}/${second}`
  const name = await findSharedAddress(db, second === undefined ? [first] : [first, both])
  if (!name) throw webhooks.notFound()
  return { name, length: name.name === both ? 2 : 1 }
}

async function byIdentifier(
  { db }: Services,
  { versions }: SharedAddress,
  scripts: Scripts,
): Promise<SharedTarget | null> {
  const named = await Promise.all(
    versions.map(async (version) => ({
      versionId: version.id,
      identifier: await scripts.text(version.identifier.extractScript, version),
    })),
  )
  const webhookId = await findByIdentifiers(db, named.filter(isNamed))
  return webhookId === null ? null : { webhookId }
}

const isNamed = (one: {
  versionId: string
  identifier: string | null
}): one is { versionId: string; identifier: string } => one.identifier !== null

function tooMany(error: unknown): never {
  throw error instanceof VrlFailed
    ? new ApiError(
        'Unavailable',
        'Too many scripts are waiting: retry later; nothing was changed',
      )
    : error
}
