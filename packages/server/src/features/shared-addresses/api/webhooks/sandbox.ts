// One phone number (or other address) of a third party, shared by bots under test. A person who
// sends a bot's shareable id is connected to that bot until they send //leave. A header of the
// request informs the integration, which replies to the person.

import { installationStore } from '../../../../core/catalog/index.ts'
import { type ReceivedRequest, sandboxHeader } from '../../../../core/delivery/index.ts'
import type { RateServices, Services } from '../../../../core/http/index.ts'
import {
  findLinkedInstallation,
  type InstallationRef,
  linkConversation,
  unlinkConversation,
} from '../../sandbox-conversations.ts'
import type { SharedAddress } from '../../shared-address.ts'
import type { Scripts } from './scripts.ts'
import type { SharedTarget } from './shared-target.ts'

export const isSandbox = ({ path }: ReceivedRequest) => /^\/+sandbox(\/|$)/.test(path)

const leaving = '//leave'
const codeShape = /^[A-Z2-9]{6}$/

export async function inSandbox(
  services: Services & RateServices,
  name: SharedAddress,
  scripts: Scripts,
): Promise<SharedTarget | null> {
  const sent = await senderAndText(name, scripts)
  if (!sent) return null
  const { db } = services
  const { identifier, text } = sent
  const joined = codeShape.test(text.toUpperCase())
    ? await join(services, name, identifier, text.toUpperCase())
    : null
  if (joined) return found(services, joined, { headers: { [sandboxHeader]: 'join' } })
  const place = await findLinkedInstallation(db, name, identifier)
  if (!place) return null
  if (text !== leaving) return found(services, place, {})
  return found(services, place, {
    headers: { [sandboxHeader]: 'leave' },
    afterResponse: () => unlinkConversation(db, name, identifier, place),
  })
}

/** Uses the newest version with a script that extracts an identifier. */
async function senderAndText(
  { versions }: SharedAddress,
  scripts: Scripts,
): Promise<{ identifier: string; text: string } | null> {
  for (const version of versions) {
    const identifier = await scripts.text(
      version.sandbox.identifierExtractScript,
      version,
    )
    if (identifier)
      return {
        identifier,
        text:
          (await scripts.text(version.sandbox.messageExtractScript, version))?.trim() ??
          '',
      }
  }
  return null
}

/** Limits guessing: after too many wrong ids, a person's attempts fail without a look-up. */
async function join(
  { db, rates }: Services & RateServices,
  name: SharedAddress,
  identifier: string,
  code: string,
): Promise<InstallationRef | null> {
  const failures = rates.of('failures')
  const key = JSON.stringify([name.owner, name.name, identifier])
  if (failures && !failures.look(key).passed) return null
  const joined = await linkConversation(db, name, identifier, code)
  if (!joined) failures?.take(key)
  return joined
}

async function found(
  { db }: Services,
  { botId, alias }: InstallationRef,
  more: Omit<SharedTarget, 'webhookId'>,
): Promise<SharedTarget | null> {
  const installation = await installationStore.find(db, botId, alias)
  return installation?.enabled ? { webhookId: installation.webhook_id, ...more } : null
}
