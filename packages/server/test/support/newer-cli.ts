// The requests that unreleased command lines send when they deploy, and the fields that they read,
// taken from their sources. The client is the official one, the rest is reimplemented. Like them,
// this code does not check for missing fields.
import { type Client, isApiError } from '@botpress/client'
import type {
  BotDefinition,
  IntegrationDefinition,
  InterfaceDefinition,
  PluginDefinition,
} from '@botpress/sdk'
import { listActions, mapDefinitions, type Specific, withSchema } from './sdk-sources.ts'

type Input<Operation extends keyof Client> = Client[Operation] extends (
  input: infer I,
) => unknown
  ? I
  : never
interface NameVersion {
  name: string
  version: string
}

/** Tries the private route first, and the hub only after exactly this error. */
const orNull = (error: unknown) => {
  if (isApiError(error) && error.type === 'ResourceNotFound') return null
  throw error
}

/** Marks entries of the server that are missing locally for deletion. */
const nulled = <Value>(
  local: Record<string, Value> | undefined,
  remote: Record<string, unknown>,
): Record<string, Value | null> => ({
  ...Object.fromEntries(Object.keys(remote).map((key) => [key, null])),
  ...local,
})

export const openNewerCli = (client: Client) => new NewerCli(client)

/** Finds a package in the workspace, or else in the hub. */
const findWith = (client: Client) => ({
  interface: (ref: NameVersion) =>
    client
      .getInterfaceByName(ref)
      .catch(orNull)
      .then(
        async (found) =>
          (found ?? (await client.getPublicInterface(ref).catch(orNull)))?.interface,
      ),
  integration: (ref: NameVersion) =>
    client
      .getIntegrationByName(ref)
      .catch(orNull)
      .then(
        async (found) =>
          (found ?? (await client.getPublicIntegration(ref).catch(orNull)))?.integration,
      ),
  plugin: (ref: NameVersion) =>
    client
      .getPluginByName(ref)
      .catch(orNull)
      .then(
        async (found) =>
          (found ?? (await client.getPublicPlugin(ref).catch(orNull)))?.plugin,
      ),
})

type RemoteIntegration = Awaited<ReturnType<Client['getIntegration']>>['integration']
type IntegrationBody = Partial<Input<'createIntegration'>>

/** Returns the entries of an integration, with null for those that are missing locally. */
function removedFrom(remote: RemoteIntegration, local: IntegrationBody) {
  return {
    events: nulled(local.events, remote.events),
    actions: nulled(local.actions, remote.actions),
    states: nulled(local.states, remote.states),
    entities: nulled(local.entities, remote.entities),
    interfaces: nulled(local.interfaces, remote.interfaces),
    user: { ...local.user, tags: nulled(local.user?.tags, remote.user.tags) },
    attributes: nulled(local.attributes, remote.attributes ?? {}),
    configurations: nulled(local.configurations, remote.configurations),
    channels: nulled(channelsWithRemoved(remote, local), remote.channels),
    identifier: {
      extractScript: remote.identifier.extractScript ? null : undefined,
      fallbackHandlerScript: undefined,
    },
  }
}

function channelsWithRemoved(
  remote: RemoteIntegration,
  { channels = {} }: IntegrationBody,
) {
  const merged = Object.entries(channels).map(([name, local]) => {
    const known = remote.channels[name]
    if (!known) return [name, local]
    const { message, conversation } = local
    return [
      name,
      {
        ...local,
        messages: nulled(local.messages, known.messages),
        message: { ...message, tags: nulled(message?.tags, known.message.tags) },
        conversation: {
          ...conversation,
          tags: nulled(conversation?.tags, known.conversation.tags),
        },
      },
    ]
  })
  return Object.fromEntries(merged)
}

/** The deployments of the command line. */
class NewerCli {
  readonly find: ReturnType<typeof findWith>
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
    this.find = findWith(client)
  }

  async deployInterface(definition: Specific<InterfaceDefinition>): Promise<string> {
    const {
      name,
      version,
      title,
      description,
      entities,
      events,
      actions,
      channels,
      attributes,
    } = definition as InterfaceDefinition
    const body = {
      name,
      version,
      title,
      description,
      attributes,
      public: true,
      sdkVersion: '5.4.3',
      icon: svg,
      readme: markdown,
      entities: mapDefinitions(entities, withSchema),
      events: mapDefinitions(events, withSchema),
      actions: listActions(actions as never),
      channels: mapDefinitions(channels, ({ messages, ...channel }) => ({
        ...channel,
        messages: mapDefinitions(messages, withSchema),
      })),
    } as Input<'createInterface'>
    const remote = await this.find.interface({ name, version })
    if (!remote) return (await this.#client.createInterface(body)).interface.id
    const { name: _, version: __, ...rest } = body
    const gone = {
      entities: nulled(rest.entities, remote.entities),
      events: nulled(rest.events, remote.events),
      actions: nulled(rest.actions, remote.actions),
    }
    return (
      await this.#client.updateInterface({
        id: remote.id,
        ...rest,
        ...gone,
        channels: nulled(rest.channels, remote.channels),
      } as never)
    ).interface.id
  }

  async #integrationBody(definition: IntegrationDefinition) {
    const {
      name,
      version,
      title,
      description,
      user,
      events,
      actions,
      channels,
      states,
      entities,
      attributes,
      configuration,
      configurations,
    } = definition
    const interfaces = Object.entries(definition.interfaces ?? {}).map(
      async ([key, given]) => {
        const { interface: found } = await this.#client.getPublicInterface({
          name: given.name,
          version: given.version,
        }) // in the hub only
        return [key, { ...given, id: given.id ?? found.id }] as const
      },
    )
    return {
      name,
      version,
      title,
      description,
      user,
      attributes,
      icon: svg,
      readme: markdown,
      sdkVersion: '5.4.3',
      visibility: 'private',
      identifier: {},
      events: mapDefinitions(events, withSchema),
      actions: listActions(actions),
      states: mapDefinitions(states, withSchema),
      entities: mapDefinitions(entities, withSchema),
      channels: mapDefinitions(channels, ({ messages, ...channel }) => ({
        ...channel,
        messages: mapDefinitions(messages, withSchema),
      })),
      configuration: configuration && withSchema(configuration),
      configurations: mapDefinitions(configurations, withSchema),
      interfaces: Object.fromEntries(await Promise.all(interfaces)),
    } as Input<'createIntegration'>
  }

  /**
   * Returns its id and the secret names of the previous version. `dryRun` works like `--dry-run`.
   */
  async deployIntegration(
    definition: IntegrationDefinition,
    {
      code,
      secrets = {},
      dryRun,
    }: { code: string; secrets?: Record<string, string>; dryRun?: boolean },
  ) {
    const { name, version } = definition
    const body = { ...(await this.#integrationBody(definition)), code }
    const remote = await this.find.integration({ name, version })
    if (!remote) {
      const { integrations } = await this.#client.listIntegrations({
        name,
        version: `<${version}`,
      })
      const known =
        integrations[0] &&
        (await this.#client.getIntegration({ id: integrations[0].id })).integration
          .secrets
      if (dryRun)
        return this.#client
          .validateIntegrationCreation({ ...body, secrets } as never)
          .then(() => ({ id: '', known }))
      return {
        id: (await this.#client.createIntegration({ ...body, secrets })).integration.id,
        known,
      }
    }
    const { name: _, version: __, ...rest } = body
    const gone = removedFrom(remote, rest)
    const update = { id: remote.id, ...rest, ...gone, secrets } as never
    if (dryRun)
      return this.#client
        .validateIntegrationUpdate(update)
        .then(() => ({ id: remote.id, known: remote.secrets }))
    return {
      id: (await this.#client.updateIntegration(update)).integration.id,
      known: remote.secrets,
    }
  }

  async deployPlugin(
    specific: Specific<PluginDefinition>,
    code: string,
  ): Promise<string> {
    const body = await this.#pluginBody(specific as PluginDefinition, code)
    const { name, version, ...rest } = body
    const remote = await this.find.plugin({ name, version })
    if (!remote) return (await this.#client.createPlugin(body)).plugin.id
    const { integrations, interfaces } = rest.dependencies ?? {}
    const gone = {
      events: nulled(rest.events, remote.events),
      actions: nulled(rest.actions, remote.actions),
      states: nulled(rest.states, remote.states),
      attributes: nulled(rest.attributes, remote.attributes ?? {}),
      dependencies: {
        integrations: nulled(integrations, remote.dependencies?.integrations ?? {}),
        interfaces: nulled(interfaces, remote.dependencies?.interfaces ?? {}),
      },
    }
    return (await this.#client.updatePlugin({ id: remote.id, ...rest, ...gone } as never))
      .plugin.id
  }

  async #pluginBody(definition: PluginDefinition, code: string) {
    const { name, version, title, description, attributes, configuration } = definition
    const interfaces = Object.entries(definition.interfaces ?? {}).map(
      async ([alias, wanted]) => {
        const ref = { name: wanted.name, version: wanted.version }
        return [alias, { id: (await this.find.interface(ref))!.id, ...ref }] as const
      },
    )
    return {
      name,
      version,
      title,
      description,
      attributes,
      visibility: 'private',
      icon: svg,
      readme: markdown,
      sdkVersion: '5.4.3',
      code: { node: code, browser: 'export default null' },
      user: { tags: definition.user?.tags ?? {} },
      conversation: { tags: definition.conversation?.tags ?? {} },
      message: { tags: definition.message?.tags ?? {} },
      configuration: configuration && withSchema(configuration),
      events: mapDefinitions(definition.events, withSchema),
      actions: listActions(definition.actions),
      states: mapDefinitions(definition.states, withSchema),
      dependencies: {
        integrations: {},
        interfaces: Object.fromEntries(await Promise.all(interfaces)),
      },
    } as Input<'createPlugin'>
  }

  /** Creates a bot if none is given. Looks up package ids that the definition lacks. */
  async deployBot(
    specific: Specific<BotDefinition>,
    {
      botId,
      ...where
    }: {
      botId?: string
      code?: string
      url?: string
      secrets?: Record<string, string | null>
    },
  ) {
    const definition = specific as BotDefinition
    const { bot: remote } = botId
      ? await this.#client.getBot({ id: botId })
      : await this.#client.createBot({})
    const { user, conversation, message, configuration, recurringEvents } = definition
    const states = Object.fromEntries(
      Object.entries(definition.states ?? {}).filter(
        ([, { type }]) => (type as string) !== 'workflow',
      ),
    )
    const integrations = await this.#integrationsOf(definition)
    for (const [alias, one] of Object.entries<{ enabled?: boolean }>(integrations))
      if (!(alias in remote.integrations)) one.enabled ??= false
    const { bot } = await this.#client.updateBot({
      id: remote.id,
      recurringEvents: nulled(recurringEvents, remote.recurringEvents),
      states: nulled(mapDefinitions(states, withSchema), remote.states),
      events: nulled(mapDefinitions(definition.events, withSchema), remote.events),
      actions: nulled(listActions(definition.actions), remote.actions),
      user: { ...user, tags: nulled(user?.tags, remote.user.tags) },
      conversation: {
        ...conversation,
        tags: nulled(conversation?.tags, remote.conversation.tags),
      },
      message: { ...message, tags: nulled(message?.tags, remote.message.tags) },
      ...(configuration && { configuration: withSchema(configuration) }),
      integrations: nulled(integrations, remote.integrations),
      plugins: nulled(await this.#pluginsOf(definition), remote.plugins),
      tags: definition.attributes,
      ...where,
    } as never)
    for (const { id } of Object.values(bot.integrations)) await this.#readUrlsOf(id)
    return bot
  }

  async #integrationsOf({ integrations = {} }: BotDefinition) {
    const resolved = Object.entries(integrations).map(async ([alias, given]) => {
      const { id, enabled, configurationType, configuration, disabledChannels, ...ref } =
        given
      const integrationId = id ?? (await this.find.integration(ref))!.id
      return [
        alias,
        { integrationId, enabled, configurationType, configuration, disabledChannels },
      ] as const
    })
    return Object.fromEntries(await Promise.all(resolved))
  }

  async #pluginsOf({ plugins = {}, integrations = {} }: BotDefinition) {
    const resolved = Object.entries(plugins).map(async ([alias, given]) => {
      const interfaces = Object.entries(given.interfaces ?? {}).map(
        async ([name, { integrationAlias, integrationInterfaceAlias }]) => {
          const backing = integrations[integrationAlias]!
          const integrationId = backing.id ?? (await this.find.integration(backing))!.id
          return [
            name,
            { integrationId, integrationAlias, integrationInterfaceAlias },
          ] as const
        },
      )
      const id = given.id ?? (await this.find.plugin(given))!.id
      return [
        alias,
        { ...given, id, interfaces: Object.fromEntries(await Promise.all(interfaces)) },
      ] as const
    })
    return Object.fromEntries(await Promise.all(resolved))
  }

  /** Reads the fields from which the command line prints webhook and login URLs. */
  async #readUrlsOf(id: string) {
    const { integration } =
      (await this.#client.getIntegration({ id }).catch(orNull)) ??
      (await this.#client.getPublicIntegrationById({ id }))
    void [
      integration.configuration.identifier,
      integration.configurations,
      integration.identifier.extractScript,
    ]
  }
}

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
const markdown = Buffer.from('# What it is\n').toString('base64')
