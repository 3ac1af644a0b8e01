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
import { actionsOf, mapDefinitions, type Specific, withSchema } from './sdk-sources.ts'

type Input<Operation extends keyof Client> = Client[Operation] extends (input: infer I) => unknown
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

export function openNewerCli(client: Client) {
  const find = {
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
          async (found) => (found ?? (await client.getPublicPlugin(ref).catch(orNull)))?.plugin,
        ),
  }

  async function deployInterface(definition: Specific<InterfaceDefinition>): Promise<string> {
    const { name, version, title, description, entities, events, actions, channels, attributes } =
      definition as InterfaceDefinition
    const body = {
      ...{
        name,
        version,
        title,
        description,
        attributes,
        public: true,
        sdkVersion: '5.4.3',
        icon: svg,
        readme: markdown,
      },
      ...{
        entities: mapDefinitions(entities, withSchema),
        events: mapDefinitions(events, withSchema),
        actions: actionsOf(actions as never),
      },
      channels: mapDefinitions(channels, ({ messages, ...channel }) => ({
        ...channel,
        messages: mapDefinitions(messages, withSchema),
      })),
    } as Input<'createInterface'>
    const remote = await find.interface({ name, version })
    if (!remote) return (await client.createInterface(body)).interface.id
    const { name: _, version: __, ...rest } = body
    const gone = {
      entities: nulled(rest.entities, remote.entities),
      events: nulled(rest.events, remote.events),
      actions: nulled(rest.actions, remote.actions),
    }
    return (
      await client.updateInterface({
        id: remote.id,
        ...rest,
        ...gone,
        channels: nulled(rest.channels, remote.channels),
      } as never)
    ).interface.id
  }

  async function integrationBody(definition: IntegrationDefinition) {
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
    const interfaces = Object.entries(definition.interfaces ?? {}).map(async ([key, given]) => {
      const { interface: found } = await client.getPublicInterface({
        name: given.name,
        version: given.version,
      }) // in the hub only
      return [key, { ...given, id: given.id ?? found.id }] as const
    })
    return {
      ...{
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
      },
      ...{
        events: mapDefinitions(events, withSchema),
        actions: actionsOf(actions),
        states: mapDefinitions(states, withSchema),
        entities: mapDefinitions(entities, withSchema),
      },
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
  async function deployIntegration(
    definition: IntegrationDefinition,
    {
      code,
      secrets = {},
      dryRun,
    }: { code: string; secrets?: Record<string, string>; dryRun?: boolean },
  ) {
    const { name, version } = definition
    const body = { ...(await integrationBody(definition)), code }
    const remote = await find.integration({ name, version })
    if (!remote) {
      const { integrations } = await client.listIntegrations({ name, version: `<${version}` })
      const known =
        integrations[0] &&
        (await client.getIntegration({ id: integrations[0].id })).integration.secrets
      if (dryRun)
        return client
          .validateIntegrationCreation({ ...body, secrets } as never)
          .then(() => ({ id: '', known }))
      return { id: (await client.createIntegration({ ...body, secrets })).integration.id, known }
    }
    const { name: _, version: __, ...rest } = body
    const gone = {
      ...{
        events: nulled(rest.events, remote.events),
        actions: nulled(rest.actions, remote.actions),
        states: nulled(rest.states, remote.states),
      },
      ...{
        entities: nulled(rest.entities, remote.entities),
        interfaces: nulled(rest.interfaces, remote.interfaces),
      },
      ...{
        user: { ...rest.user, tags: nulled(rest.user?.tags, remote.user.tags) },
        attributes: nulled(rest.attributes, remote.attributes ?? {}),
      },
      configurations: nulled(rest.configurations, remote.configurations),
      channels: nulled(
        Object.fromEntries(
          Object.entries(rest.channels ?? {}).map(([channel, given]) => {
            const there = remote.channels[channel]
            if (!there) return [channel, given]
            const message = {
              ...given.message,
              tags: nulled(given.message?.tags, there.message.tags),
            }
            const conversation = {
              ...given.conversation,
              tags: nulled(given.conversation?.tags, there.conversation.tags),
            }
            return [
              channel,
              { ...given, messages: nulled(given.messages, there.messages), message, conversation },
            ]
          }),
        ),
        remote.channels,
      ),
      identifier: {
        extractScript: remote.identifier.extractScript ? null : undefined,
        fallbackHandlerScript: undefined,
      },
    }
    const update = { id: remote.id, ...rest, ...gone, secrets } as never
    if (dryRun)
      return client
        .validateIntegrationUpdate(update)
        .then(() => ({ id: remote.id, known: remote.secrets }))
    return { id: (await client.updateIntegration(update)).integration.id, known: remote.secrets }
  }

  async function deployPlugin(specific: Specific<PluginDefinition>, code: string): Promise<string> {
    const definition = specific as PluginDefinition
    const {
      name,
      version,
      title,
      description,
      user,
      conversation,
      message,
      configuration,
      events,
      actions,
      states,
      attributes,
    } = definition
    const interfaces = Object.entries(definition.interfaces ?? {}).map(
      async ([alias, { name, version }]) => [
        alias,
        { id: (await find.interface({ name, version }))!.id, name, version },
      ],
    )
    const body = {
      ...{
        name,
        version,
        title,
        description,
        attributes,
        visibility: 'private',
        icon: svg,
        readme: markdown,
        sdkVersion: '5.4.3',
      },
      ...{ code: { node: code, browser: 'export default null' } },
      ...{
        user: { tags: user?.tags ?? {} },
        conversation: { tags: conversation?.tags ?? {} },
        message: { tags: message?.tags ?? {} },
      },
      ...{
        configuration: configuration && withSchema(configuration),
        events: mapDefinitions(events, withSchema),
        actions: actionsOf(actions),
      },
      states: mapDefinitions(states, withSchema),
      dependencies: {
        integrations: {},
        interfaces: Object.fromEntries(await Promise.all(interfaces)),
      },
    } as Input<'createPlugin'>
    const remote = await find.plugin({ name, version })
    if (!remote) return (await client.createPlugin(body)).plugin.id
    const { name: _, version: __, ...rest } = body
    const gone = {
      ...{
        events: nulled(rest.events, remote.events),
        actions: nulled(rest.actions, remote.actions),
        states: nulled(rest.states, remote.states),
      },
      attributes: nulled(rest.attributes, remote.attributes ?? {}),
      dependencies: {
        integrations: nulled(
          rest.dependencies?.integrations,
          remote.dependencies?.integrations ?? {},
        ),
        interfaces: nulled(rest.dependencies?.interfaces, remote.dependencies?.interfaces ?? {}),
      },
    }
    return (await client.updatePlugin({ id: remote.id, ...rest, ...gone } as never)).plugin.id
  }

  /** Creates a bot if none is given. Looks up package ids that the definition lacks. */
  async function deployBot(
    specific: Specific<BotDefinition>,
    {
      botId,
      ...where
    }: { botId?: string; code?: string; url?: string; secrets?: Record<string, string | null> },
  ) {
    const definition = specific as BotDefinition
    const { bot: remote } = botId ? await client.getBot({ id: botId }) : await client.createBot({})
    const integrations = Object.entries(definition.integrations ?? {}).map(
      async ([
        alias,
        { id, enabled, configurationType, configuration, disabledChannels, ...ref },
      ]) => [
        alias,
        {
          integrationId: id ?? (await find.integration(ref))!.id,
          enabled,
          configurationType,
          configuration,
          disabledChannels,
        },
      ],
    )
    const plugins = Object.entries(definition.plugins ?? {}).map(async ([alias, given]) => [
      alias,
      {
        ...given,
        id: given.id ?? (await find.plugin(given))!.id,
        interfaces: Object.fromEntries(
          await Promise.all(
            Object.entries(given.interfaces ?? {}).map(
              async ([name, { integrationAlias, integrationInterfaceAlias }]) => {
                const backing = definition.integrations![integrationAlias]!
                return [
                  name,
                  {
                    integrationId: backing.id ?? (await find.integration(backing))!.id,
                    integrationAlias,
                    integrationInterfaceAlias,
                  },
                ]
              },
            ),
          ),
        ),
      },
    ])
    const { user, conversation, message, configuration, recurringEvents } = definition
    const states = Object.fromEntries(
      Object.entries(definition.states ?? {}).filter(
        ([, { type }]) => (type as string) !== 'workflow',
      ),
    )
    const local = Object.fromEntries(await Promise.all(integrations))
    for (const [alias, one] of Object.entries<{ enabled?: boolean }>(local))
      if (!(alias in remote.integrations)) one.enabled ??= false
    const { bot } = await client.updateBot({
      id: remote.id,
      ...{
        recurringEvents: nulled(recurringEvents, remote.recurringEvents),
        states: nulled(mapDefinitions(states, withSchema), remote.states),
      },
      ...{
        events: nulled(mapDefinitions(definition.events, withSchema), remote.events),
        actions: nulled(actionsOf(definition.actions), remote.actions),
      },
      user: { ...user, tags: nulled(user?.tags, remote.user.tags) },
      conversation: { ...conversation, tags: nulled(conversation?.tags, remote.conversation.tags) },
      message: { ...message, tags: nulled(message?.tags, remote.message.tags) },
      ...(configuration && { configuration: withSchema(configuration) }),
      integrations: nulled(local, remote.integrations),
      plugins: nulled(Object.fromEntries(await Promise.all(plugins)), remote.plugins),
      tags: definition.attributes,
      ...where,
    } as never)
    for (const { id } of Object.values(bot.integrations)) {
      // The command line reads these to print webhook and login URLs.
      const { integration } =
        (await client.getIntegration({ id }).catch(orNull)) ??
        (await client.getPublicIntegrationById({ id }))
      void [
        integration.configuration.identifier,
        integration.configurations,
        integration.identifier.extractScript,
      ]
    }
    return bot
  }

  return { find, deployInterface, deployIntegration, deployPlugin, deployBot }
}

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
const markdown = Buffer.from('# What it is\n').toString('base64')
