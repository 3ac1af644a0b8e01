// The plugins of a bot in its document: by name and version, with their backing integrations by
// alias.
import type { BotDocument } from '@botstead/contract'
import { escapePointer, type Problem } from '@botstead/flows'
import type { Bot } from '../../core/bots/index.ts'
import {
  findInstallablePlugins,
  type InstalledPlugin,
  installedPlugins,
  type PackageChanges,
} from '../../core/catalog/index.ts'
import type { Db } from '../../core/db/index.ts'

type Documented = NonNullable<BotDocument['plugins']>

export const toPlugins = (installed: InstalledPlugin[]): Documented =>
  Object.fromEntries(
    installed.map((one) => [
      one.alias,
      {
        ...toPlugin(one),
        configuration: one.configuration,
        recurringEvents: installedPlugins.listRecurringEvents(one),
      },
    ]),
  )

const toPlugin = ({
  pluginId,
  enabled,
  interfaces,
  integrations,
  head: { name, version },
}: InstalledPlugin) => ({
  id: pluginId,
  name,
  version,
  enabled,
  interfaces: mapped(interfaces, ({ integrationAlias, integrationInterfaceAlias }) => ({
    integrationAlias,
    integrationInterfaceAlias,
  })),
  integrations: mapped(integrations, ({ integrationAlias }) => ({ integrationAlias })),
})

/** Matches plugins by an id of this server, otherwise by name and version. */
export async function pluginChanges(
  db: Db,
  bot: Bot,
  plugins: Documented,
): Promise<{ changes: PackageChanges['plugins']; unknown: Problem[] }> {
  const entries = Object.entries(plugins)
  const known = await findInstallablePlugins(
    db,
    bot.workspace_id,
    entries.map(([, { name }]) => name),
  )
  const findId = ({ id, name, version }: Documented[string]) => {
    const same = known.filter((one) => one.name === name && one.version === version)
    return (same.find((one) => one.id === id) ?? same[0])?.id
  }
  const unknown = entries.flatMap(([alias, input]): Problem[] =>
    findId(input)
      ? []
      : [
          {
            pointer: `/plugins/${escapePointer(alias)}`,
            message:
              `plugin "${input.name}@${input.version}" was not found or cannot be installed in ` +
              'this bot',
          },
        ],
  )
  const changes = entries.flatMap(([alias, input]) => {
    const id = findId(input)
    return id ? [[alias, changeTo(id, input)] as const] : []
  })
  return { changes: Object.fromEntries(changes), unknown }
}

function changeTo(
  id: string,
  {
    enabled,
    configuration,
    interfaces = {},
    integrations = {},
    recurringEvents = {},
  }: Documented[string],
): PackageChanges['plugins'][string] {
  // The alias determines the integration, in any version.
  const backed = <B extends object>(backing: B) => ({ integrationId: '', ...backing })
  return {
    id,
    enabled,
    interfaces: mapped(interfaces, backed),
    integrations: mapped(integrations, backed),
    definition: { recurringEvents },
    ...(configuration && { configuration }),
  }
}

const mapped = <T, U>(all: Record<string, T>, change: (one: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, change(one)]))
