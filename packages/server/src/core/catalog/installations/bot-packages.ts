// Changes of the integrations and plugins in a bot.
import type { Services } from '../../http/index.ts'
import type { OutgoingServices } from '../../outgoing/index.ts'
import { isChat } from '../integrations/hub.ts'
import { changePlugins } from '../plugins/installed-plugins.ts'
import type { PluginChanges } from '../plugins/plugin-plan.ts'
import type { InstallationChanges } from './installation-plan.ts'
import {
  type ChangeInstallationsOptions,
  changeInstallations,
  listInstallations,
  type PendingRegistrations,
} from './installations.ts'

/** By alias; null removes one. */
export interface PackageChanges {
  integrations: InstallationChanges
  plugins: PluginChanges
}

interface Bot {
  id: string
  workspaceId: string
  dev: boolean
}

interface ChangeOptions extends ChangeInstallationsOptions {
  /** Removes packages that the change does not mention. */
  afresh: boolean
}

type Deps = Pick<Services, 'db' | 'secrets'> & OutgoingServices

/**
 * Requires the transaction that locks the bot's row. Returns the work that remains after the commit, if
 * integrations change.
 */
export async function changePackages(
  deps: Deps,
  bot: Bot,
  { integrations, plugins }: Partial<PackageChanges>,
  { afresh, ...options }: ChangeOptions,
): Promise<PendingRegistrations | undefined> {
  const { db, secrets } = deps
  const wanted = afresh
    ? { ...(await removeUnwanted(deps, bot, integrations ?? {})), ...integrations }
    : integrations
  const pending = wanted && (await changeInstallations(db, secrets, bot, wanted, options))
  if (wanted) await checkChatWebhooks(deps, bot, wanted)
  // After the installations, because plugins work through them.
  if (plugins || wanted) await changePlugins(db, secrets, bot, plugins ?? {}, { afresh })
  return pending
}

/** Returns removals for the installed integrations that are not wanted any more. */
async function removeUnwanted(
  { db }: Deps,
  { id }: Bot,
  wanted: InstallationChanges,
): Promise<InstallationChanges> {
  const installed = await listInstallations(db, id)
  return Object.fromEntries(
    installed
      .filter(({ alias }) => !Object.hasOwn(wanted, alias))
      .map(({ alias }) => [alias, null]),
  )
}

/** The server itself calls the chat integration's webhook. */
async function checkChatWebhooks(
  { db, outgoing }: Deps,
  { id, workspaceId }: Bot,
  wanted: InstallationChanges,
): Promise<void> {
  const webhooks = Object.entries(wanted).flatMap(([alias, change]) => {
    const url = change?.configuration?.webhookUrl
    return typeof url === 'string' && url !== '' ? [{ alias, url }] : []
  })
  if (webhooks.length === 0) return
  const chats = (await listInstallations(db, id)).filter(({ integration_id }) =>
    isChat(integration_id),
  )
  for (const { alias, url } of webhooks)
    if (chats.some((chat) => chat.alias === alias))
      await outgoing.checkUrl(
        workspaceId,
        `integrations/${alias}/configuration/webhookUrl`,
        url,
      )
}
