// Converts a bot to a document, and a document to the change that applies it. Versions keep
// everything; exported documents contain no secrets.
import type { BotDocument } from '@botstead/contract'
import {
  type AuthoredDocument,
  documentVersion,
  escapePointer,
  type Problem,
} from '@botstead/flows'
import { toTextInSlices } from '@botstead/lib'
import { type Bot, type BotChange, botCode, botStore } from '../../core/bots/index.ts'
import {
  hub,
  type Installation,
  installationStore,
  installedPlugins,
  type PackageChanges,
} from '../../core/catalog/index.ts'
import type { Db } from '../../core/db/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import { describeMcpServers } from '../mcp/index.ts'
import { withFlows, withoutFlows } from './authored.ts'
import { findDocument } from './coded-document.ts'
import { type CheckedDocument, problemsError } from './document-check.ts'
import { pluginChanges, toPlugins } from './documented-plugins.ts'
import { keepSecrets, withoutSecrets } from './secret-fields.ts'

/**
 * The content of a version. The address of an integration returns with the version, if it was removed
 * in the meantime. Versions of older servers lack addresses.
 */
export type VersionContent = BotDocument & {
  webhookIds?: Record<string, string>
}

/** The content apart from the code, which is long. */
export type VersionState = Omit<VersionContent, 'code'>

/** A bot or a version of it. The code is in UTF-8; null without code. */
export interface CodedState {
  state: VersionState
  code: Buffer | null
}

/** Includes all configurations. Throws ResourceNotFound. */
export async function describeBot(
  db: Db,
  secrets: Secrets,
  workspaceId: string,
  botId: string,
): Promise<CodedState> {
  const state = await describeState(db, secrets, workspaceId, botId)
  return { state, code: await botCode.find(db, botId) }
}

/** Returns the content with the code as text. */
export const toContent = async ({
  state,
  code,
}: CodedState): Promise<VersionContent> => ({
  ...state,
  code: code && (await toTextInSlices(code)),
})

/** Includes all configurations. Throws ResourceNotFound. */
export async function describeState(
  db: Db,
  secrets: Secrets,
  workspaceId: string,
  botId: string,
): Promise<VersionState> {
  const bot = await botStore.find(db, workspaceId, botId)
  const installed = await installationStore.list(db, botId)
  const plugins = await installedPlugins.list(db, secrets, botId)
  return {
    kind: 'bot',
    version: documentVersion,
    ...bot.definition,
    url: bot.url,
    authentication: bot.authentication as 'iam' | 'hmac-sha256',
    maxExecutionTime: bot.max_execution_seconds,
    alwaysAlive: bot.always_alive,
    layers: bot.layers,
    secrets: Object.keys(bot.secrets),
    integrations: Object.fromEntries(
      await Promise.all(
        installed.map(async (row) => [row.alias, await described(secrets, row)] as const),
      ),
    ),
    plugins: toPlugins(plugins),
    mcpServers: await describeMcpServers(db, botId),
    webhookIds: Object.fromEntries(installed.map((row) => [row.alias, row.webhook_id])),
  }
}

const described = async (secrets: Secrets, row: Installation) => ({
  ...toIntegration(row),
  configuration: await installationStore.openConfiguration(secrets, row),
})

const toIntegration = (row: Installation) => ({
  id: row.integration_id,
  name: row.name,
  version: row.version,
  enabled: row.enabled,
  configurationType: row.configuration_type,
  disabledChannels: row.disabled_channels,
})

/** Returns the document for export. `$schema` is the URL of its schema. Throws as Compute. */
export async function publicDocument(
  workspaceId: string,
  coded: CodedState,
  $schema: string,
): Promise<BotDocument | AuthoredDocument> {
  const authored = await findDocument(workspaceId, coded.code)
  const { webhookIds: _addresses, ...whole } = authored
    ? coded.state
    : await toContent(coded)
  const {
    configuration,
    integrations = {},
    plugins = {},
    ...document
  } = authored ? withFlows(whole, authored) : whole
  return {
    $schema,
    ...document,
    version: documentVersion,
    ...(configuration && {
      configuration: {
        ...configuration,
        data: withoutSecrets(configuration.schema, configuration.data),
      },
    }),
    integrations: withoutKeys(integrations),
    plugins: withoutKeys(plugins),
  }
}

/** Returns the document for export without `$schema`; null for a bot that is not made of flows. */
export async function readDeployed(
  db: Db,
  secrets: Secrets,
  bot: Bot,
): Promise<object | null> {
  const described = await describeBot(db, secrets, bot.workspace_id, bot.id)
  const { $schema: _, ...document } = await publicDocument(
    bot.workspace_id,
    described,
    '',
  )
  return 'flows' in document ? document : null
}

/** Configurations may contain keys. */
const withoutKeys = <T extends { configuration?: unknown }>(all: Record<string, T>) =>
  Object.fromEntries(
    Object.entries(all).map(([alias, { configuration: _keys, ...rest }]) => [
      alias,
      rest,
    ]),
  )

interface DocumentedChange extends BotChange, PackageChanges {
  mcpServers: BotDocument['mcpServers']
}

/**
 * Returns the change that applies the document. Secrets that the document omits stay as they are in
 * the bot. Throws InvalidPayload for references that the bot or this server lacks.
 */
export async function changeTo(
  db: Db,
  bot: Bot,
  checked: CheckedDocument | { document: BotDocument; code: null },
): Promise<DocumentedChange> {
  const document = await withoutFlows(db, bot, checked)
  const {
    $schema: _schema,
    kind: _kind,
    version: _version,
    secrets = [],
    integrations = {},
    plugins = {},
    mcpServers,
    configuration,
    ...rest
  } = document
  const missing = secrets.flatMap((name, i): Problem[] =>
    Object.hasOwn(bot.secrets, name)
      ? []
      : [
          {
            pointer: `/secrets/${i}`,
            message: `the bot has no secret "${name}"; set it first`,
          },
        ],
  )
  const { changes, unknown } = await installationChanges(db, bot, integrations)
  const brought = await pluginChanges(db, bot, plugins)
  const wrong = [...missing, ...unknown, ...brought.unknown]
  if (wrong.length) throw problemsError(wrong)
  const settings = configuration && {
    ...configuration,
    data: keepSecrets(
      configuration.schema,
      configuration.data,
      bot.definition.configuration.data,
    ),
  }
  return {
    ...rest,
    ...(settings && { configuration: settings }),
    integrations: changes,
    plugins: brought.changes,
    mcpServers,
  }
}

async function installationChanges(
  db: Db,
  bot: Bot,
  integrations: NonNullable<BotDocument['integrations']>,
) {
  const entries = Object.entries(integrations)
  const ids = await hub.match(db, bot, integrations)
  const unknown = entries.flatMap(([alias, input]): Problem[] =>
    ids.has(alias)
      ? []
      : [
          {
            pointer: `/integrations/${escapePointer(alias)}`,
            message:
              `integration "${input.name}@${input.version}" was not found or cannot be installed in ` +
              'this bot',
          },
        ],
  )
  const changes = entries.flatMap(([alias, input]) => {
    const { id: _id, name: _name, version: _version, ...settings } = input
    const integrationId = ids.get(alias)
    return integrationId ? [[alias, { ...settings, integrationId }] as const] : []
  })
  return {
    changes: Object.fromEntries(changes) as PackageChanges['integrations'],
    unknown,
  }
}
