// One address for all bots of an integration: /integration/global/{name}. The integration's own script says whose a request is; where it says nobody, its
// other script answers, as third parties want it before they send anything.
//
// Bots have different versions. Each is found by the script of the version that it has, since that one knows the form of its identifiers; what several
// have in common runs once. Only the newest answers for nobody.
import { ApiError } from '@botstead/contract'
import { countSharedWebhook, countWebhook } from '../../http/rate-limits.ts'
import {
  findByIdentifiers,
  findSharedAddress,
  type SharedAddress,
  type SharedVersion,
} from '../../integrations/shared-address.ts'
import type { Services } from '../../services.ts'
import { VrlFailed } from '../../vrl/vrl.ts'
import { askIntegration, sendAnswer } from './hand-on.ts'
import { installationAt, type Knock, noIntegration, receive } from './knock.ts'
import { addressIn } from './received.ts'
import { inSandbox, isSandbox } from './sandbox.ts'
import { type Scripts, scriptsFor } from './scripts.ts'

/** What scripts are given to read. GitHub, which sends the most, sends 25 MB. */
const largestBody = 25 * 1_048_576

/** Whose a request is, and what the integration has to know of it. */
export interface Found {
  webhookId: string
  headers?: Record<string, string>
  /** When the integration has answered. */
  afterwards?: () => Promise<void>
}

export async function answerShared(knock: Knock, segments: number) {
  const { services, request, reply } = knock
  const { name, length } = await nameIn(services, addressIn(request.url, segments).path)
  countSharedWebhook(services, `${name.owner} ${name.name}`, reply)
  const received = await receive(knock, segments + length, largestBody)
  const scripts = scriptsFor(knock, `integrations of ${name.owner}`, received)
  const found = await (isSandbox(received)
    ? inSandbox(services, name, scripts)
    : byIdentifier(services, name, scripts)
  ).catch(tooMany)
  if (!found) {
    const [newest] = name.versions as [SharedVersion]
    const answer = await scripts.answer(newest.identifier.fallbackHandlerScript, newest).catch(tooMany)
    if (!answer) throw noIntegration()
    return sendAnswer(reply, answer)
  }
  const installation = await installationAt(services, found.webhookId)
  countWebhook(services, installation.bot_id, reply)
  const answer = await askIntegration(
    services,
    installation,
    { ...received, headers: { ...received.headers, ...found.headers } },
    knock.place,
  )
  await found.afterwards?.()
  return sendAnswer(reply, answer)
}

/** A name may have a slash, after the handle of its workspace: then it takes two segments, where the slash is not written as %2F. */
async function nameIn({ db }: Services, path: string): Promise<{ name: SharedAddress; length: number }> {
  const [first = '', second] = path.split('/').filter(Boolean).map(decodeURIComponent)
  const both = `${first}/${second}`
  const name = await findSharedAddress(db, second === undefined ? [first] : [first, both])
  if (!name) throw noIntegration()
  return { name, length: name.name === both ? 2 : 1 }
}

async function byIdentifier(
  { db }: Services,
  { versions }: SharedAddress,
  scripts: Scripts,
): Promise<Found | null> {
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
    ? new ApiError('Unavailable', 'Too many scripts are waiting; nothing was done')
    : error
}
