// One number at a third party, shared by bots that are being tried out. Whoever writes a bot's shareable id there is with that bot from then on, until
// they write //leave. The integration is told by a header of the request, and says so to the person.
import { findInstallation } from '../../integrations/installations.ts'
import {
  findConversation,
  joinConversation,
  leaveConversation,
  type Place,
} from '../../integrations/sandbox-conversations.ts'
import type { SharedAddress } from '../../integrations/shared-address.ts'
import type { Services } from '../../services.ts'
import { type Received, sandboxHeader } from './received.ts'
import type { Scripts } from './scripts.ts'
import type { Found } from './shared.ts'

export const isSandbox = ({ path }: Received) => /^\/+sandbox(\/|$)/.test(path)

const leaving = '//leave'
const codeShape = /^[A-Z2-9]{6}$/

export async function inSandbox(
  services: Services,
  name: SharedAddress,
  scripts: Scripts,
): Promise<Found | null> {
  const said = await whoSaysWhat(name, scripts)
  if (!said) return null
  const { db } = services
  const { identifier, text } = said
  const joined = codeShape.test(text.toUpperCase())
    ? await join(services, name, identifier, text.toUpperCase())
    : null
  if (joined) return found(services, joined, { headers: { [sandboxHeader]: 'join' } })
  const place = await findConversation(db, name, identifier)
  if (!place) return null
  if (text !== leaving) return found(services, place, {})
  return found(services, place, {
    headers: { [sandboxHeader]: 'leave' },
    afterwards: () => leaveConversation(db, name, identifier, place),
  })
}

/** By the newest version that knows. */
async function whoSaysWhat(
  { versions }: SharedAddress,
  scripts: Scripts,
): Promise<{ identifier: string; text: string } | null> {
  for (const version of versions) {
    const identifier = await scripts.text(version.sandbox.identifierExtractScript, version)
    if (identifier)
      return {
        identifier,
        text: (await scripts.text(version.sandbox.messageExtractScript, version))?.trim() ?? '',
      }
  }
  return null
}

/** Who tries one id after the other learns nothing more. */
async function join(
  { db, rates }: Services,
  name: SharedAddress,
  identifier: string,
  code: string,
): Promise<Place | null> {
  const failures = rates.of('failures')
  const key = JSON.stringify([name.owner, name.name, identifier])
  if (failures && !failures.look(key).passed) return null
  const joined = await joinConversation(db, name, identifier, code)
  if (!joined) failures?.take(key)
  return joined
}

async function found(
  { db }: Services,
  { botId, alias }: Place,
  more: Omit<Found, 'webhookId'>,
): Promise<Found | null> {
  const installation = await findInstallation(db, botId, alias)
  return installation?.enabled ? { webhookId: installation.webhook_id, ...more } : null
}
