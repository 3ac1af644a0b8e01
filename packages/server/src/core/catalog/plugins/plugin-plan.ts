// Computes the effect of a bot's update on its plugins: the rows to write, from the present state,
// the request and the integrations after the update. Pure; installed-plugins.ts reads and writes.
import {
  ApiError,
  type ErrorType,
  type PluginDependencies,
  type PluginInstallationChange,
} from '@botstead/contract'
import { botRules } from '../../bots/index.ts'
import { schemas } from '../../compute/index.ts'
import type { Backing, BotPlugin, Brought, InterfaceBacking } from './bot-plugins.ts'
import type { PluginDefinition } from './definition.ts'
import { dereference } from './dereference.ts'
import {
  findEntity,
  findStatement,
  type Implementation,
  type Statement,
} from './entities.ts'
import type { Plugin } from './plugins.ts'

export type PluginChanges = Record<string, PluginInstallationChange | null>

export interface KnownPlugin {
  plugin: Plugin
  dependencies: PluginDependencies
}
/** An integration as it is installed in the bot. */
type InstalledIntegration = Implementation & { id: string; alias: string }

interface PluginPlan {
  put: BotPlugin[]
  remove: string[]
}

const maxPlugins = 30
const maxConfigurationLength = 20_000

/**
 * `known` contains the plugins that are installed or may be, `integrations` the bot's integrations
 * after the update. Plugins without a change stay, unless the version of an integration that they
 * depend on changes. Throws ReferenceNotFound, InvalidIdentifier, InvalidDataFormat, LimitExceeded,
 * and ReferenceConstraint when the update removes an integration that a remaining plugin depends
 * on.
 */
export async function planPlugins(
  botId: string,
  installed: BotPlugin[],
  changes: PluginChanges,
  known: Map<string, KnownPlugin>,
  integrations: InstalledIntegration[],
): Promise<PluginPlan> {
  const untouched = installed.filter(({ alias }) => !Object.hasOwn(changes, alias))
  const moved = untouched.filter((one) => !standsOn(one, integrations))
  const changed = Object.entries(changes).flatMap(([alias, change]) => {
    const now = installed.find((one) => one.alias === alias)
    return change ? [toWanted(alias, change, now)] : []
  })
  if (untouched.length + changed.length > maxPlugins)
    throw new ApiError('LimitExceeded', `A bot can have at most ${maxPlugins} plugins`)
  const put = [
    ...moved.map((one) =>
      settle(
        one,
        known.get(one.pluginId),
        new Backings(one.alias, integrations, 'ReferenceConstraint'),
      ),
    ),
    ...(await Promise.all(
      changed.map((one) =>
        checked(
          botId,
          one,
          settle(
            one,
            known.get(one.pluginId),
            new Backings(one.alias, integrations, 'ReferenceNotFound'),
          ),
        ),
      ),
    )),
  ]
  return {
    put: put.map(({ plugin }) => plugin),
    remove: installed.flatMap(({ alias }) =>
      Object.hasOwn(changes, alias) && !changes[alias] ? [alias] : [],
    ),
  }
}

/** Returns whether all integrations that the plugin depends on are unchanged. */
const standsOn = (
  { interfaces, integrations: other }: BotPlugin,
  integrations: InstalledIntegration[],
) =>
  [...Object.values(interfaces), ...Object.values(other)].every(
    ({ integrationId, integrationAlias }) =>
      integrations.some(
        ({ id, alias }) => id === integrationId && alias === integrationAlias,
      ),
  )

/** The requested plugin. Integrations may be given by alias or by id alone. */
interface Wanted
  extends Pick<BotPlugin, 'alias' | 'pluginId' | 'enabled' | 'configuration'> {
  definition: Pick<Brought, 'recurringEvents'>
  interfaces: Record<
    string,
    {
      integrationId: string
      integrationAlias?: string
      integrationInterfaceAlias?: string
    }
  >
  integrations: Record<string, Backing>
}

function toWanted(
  alias: string,
  change: PluginInstallationChange,
  now: Wanted | undefined,
): Wanted {
  const fits = alias.length > 0 && alias.length <= 200 && !/[#:]/.test(alias)
  if (!fits)
    throw new ApiError(
      'InvalidIdentifier',
      'The alias of a plugin must have 1 to 200 characters, without # and :',
    )
  return {
    alias,
    pluginId: change.id,
    enabled: change.enabled ?? now?.enabled ?? true,
    configuration: change.configuration ?? now?.configuration ?? {},
    interfaces: change.interfaces ?? now?.interfaces ?? {},
    integrations: change.integrations ?? now?.integrations ?? {},
    definition: {
      recurringEvents: change.definition
        ? recurringIn(alias, change.definition)
        : (now?.definition.recurringEvents ?? {}),
    },
  }
}

interface Settled {
  plugin: BotPlugin
  /** With entities instead of references. */
  definition: PluginDefinition
}

function settle(
  wanted: Wanted,
  known: KnownPlugin | undefined,
  backings: Backings,
): Settled {
  if (!known)
    throw new ApiError('ReferenceNotFound', `Plugin "${wanted.pluginId}" was not found`)
  const { plugin, dependencies } = known
  const interfaces = backings.ofInterfaces(wanted, dependencies)
  const integrations = backings.ofIntegrations(wanted, dependencies)
  const definition = dereference(plugin.definition, (alias, entity) => {
    const found = interfaces.get(alias)
    return found ? findEntity(found.integration, found.statement, entity) : null
  })
  const settled = {
    ...wanted,
    interfaces: Object.fromEntries(
      [...interfaces].map(([alias, { backing }]) => [alias, backing]),
    ),
    integrations,
    definition: { ...wanted.definition, ...broughtBy(wanted.alias, definition) },
  }
  return { plugin: settled, definition }
}

interface Implemented {
  integration: InstalledIntegration
  statement: Statement
  backing: InterfaceBacking
}

/** Finds the bot's integrations that a plugin depends on. */
class Backings {
  readonly #plugin: string
  readonly #integrations: InstalledIntegration[]
  readonly #failure: ErrorType

  /** `failure`: type of the error when the plugin cannot work. */
  constructor(plugin: string, integrations: InstalledIntegration[], failure: ErrorType) {
    this.#plugin = plugin
    this.#integrations = integrations
    this.#failure = failure
  }

  ofInterfaces(
    { interfaces }: Wanted,
    dependencies: PluginDependencies,
  ): Map<string, Implemented> {
    this.#rejectMissing(dependencies.interfaces, interfaces)
    return new Map(
      Object.entries(interfaces).map(([name, input]) => {
        const integration = this.#find(input)
        const dependency = Object.hasOwn(dependencies.interfaces, name)
          ? dependencies.interfaces[name]
          : undefined
        const found =
          findStatement(integration, dependency, input.integrationInterfaceAlias) ??
          findStatement(integration, dependency)
        if (!found)
          throw this.#error(
            `the integration "${integration.alias}" does not implement ${dependency?.name ?? `"${name}"`}`,
          )
        const { under, statement } = found
        const backing = {
          integrationId: integration.id,
          integrationAlias: integration.alias,
          integrationInterfaceAlias: under,
          interfaceId: statement.id,
        }
        return [name, { integration, statement, backing }]
      }),
    )
  }

  ofIntegrations(
    { integrations }: Wanted,
    dependencies: PluginDependencies,
  ): Record<string, Backing> {
    this.#rejectMissing(dependencies.integrations, integrations)
    return Object.fromEntries(
      Object.entries(integrations).map(([name, input]) => {
        const integration = this.#find(input)
        const dependency = Object.hasOwn(dependencies.integrations, name)
          ? dependencies.integrations[name]
          : undefined
        if (dependency && dependency.name !== integration.name)
          throw this.#error(
            `"${integration.alias}" is not the integration "${dependency.name}"`,
          )
        return [
          name,
          { integrationId: integration.id, integrationAlias: integration.alias },
        ]
      }),
    )
  }

  /** Finds by alias, in any version; by id when no alias is given. */
  #find({ integrationId, integrationAlias }: Partial<Backing>): InstalledIntegration {
    const found = this.#integrations.find(({ id, alias }) =>
      integrationAlias === undefined ? id === integrationId : alias === integrationAlias,
    )
    if (!found)
      throw this.#error(
        `the integration "${integrationAlias ?? integrationId}" is not installed in this bot`,
      )
    return found
  }

  #rejectMissing(needed: object, input: object) {
    const missing = Object.keys(needed).find((name) => !Object.hasOwn(input, name))
    if (missing !== undefined)
      throw this.#error(`no integration is specified for its dependency "${missing}"`)
  }

  #error(why: string) {
    return new ApiError(this.#failure, `The plugin "${this.#plugin}" cannot work: ${why}`)
  }
}

/** A disabled plugin may have an incomplete configuration, so that users can prepare it. */
async function checked(
  botId: string,
  { alias, enabled, configuration }: Wanted,
  settled: Settled,
): Promise<Settled> {
  if (JSON.stringify(configuration).length > maxConfigurationLength)
    throw new ApiError('LimitExceeded', 'A configuration must not exceed 20 kB')
  const { schema } = settled.definition.configuration
  const mismatch = enabled && (await schemas.findMismatch(botId, schema, configuration))
  if (mismatch)
    throw new ApiError(
      'InvalidDataFormat',
      `The configuration of "${alias}" is invalid: ${mismatch}`,
    )
  return settled
}

/** Prefixes names with the alias, as the plugin's compiled code expects. */
function broughtBy(
  alias: string,
  { states, events, actions, user, conversation, message }: PluginDefinition,
): Omit<Brought, 'recurringEvents'> {
  const prefixed = <T>(all: Record<string, T>) =>
    Object.fromEntries(
      Object.entries(all).map(([name, one]) => [`${alias}#${name}`, one]),
    )
  return {
    states: prefixed(states),
    events: prefixed(events),
    actions: prefixed(actions),

    user: { tags: prefixed(user.tags) },
    conversation: { tags: prefixed(conversation.tags) },
    message: { tags: prefixed(message.tags) },
  }
}

/**
 * Packages do not contain recurring events: deployments send them in an open format. Skips unknown
 * entries.
 */
function recurringIn(
  alias: string,
  { recurringEvents }: Record<string, unknown>,
): Brought['recurringEvents'] {
  const entries = Object.entries(
    isObject(recurringEvents) ? recurringEvents : {},
  ).flatMap(([name, input]) => {
    const { type, payload, schedule } = isObject(input) ? input : {}
    if (
      typeof type !== 'string' ||
      !isObject(payload) ||
      !isObject(schedule) ||
      typeof schedule.cron !== 'string'
    )
      return []
    const event = { type: `${alias}#${type}`, payload, schedule: { cron: schedule.cron } }
    botRules.checkRecurringEvent(`${alias}#${name}`, event)
    return [[`${alias}#${name}`, event] as const]
  })
  return Object.fromEntries(entries)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
