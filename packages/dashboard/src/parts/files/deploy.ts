// Deploys a bot that was read from files, and saves it as a version.
import { type Client, createMissingData, findKnowledgeBases } from '@botstead/client'
import { nextNote } from '../../api/live.tsx'
import type { BotSource } from './bot-files.ts'
import { rethrowWithPlaces } from './document-check.ts'

interface VersionName {
  name: string
  description?: string
}

/** Returns the error if the server could not load the code that was deployed last. */
export async function findLoadError(
  client: Client,
  botId: string,
): Promise<string | undefined> {
  const { deployment } = await client.platform.getBotDeployment({ params: { botId } })
  return deployment?.loadError
}

/**
 * Also creates the knowledge bases, tables and columns that a document declares. The code becomes a
 * version in the same request (a document), or right afterwards (a bundle).
 */
export async function deploy(
  client: Client,
  botId: string,
  source: BotSource,
  { name, description }: VersionName,
): Promise<void> {
  const { content, isExample = false } = source
  const params = { id: botId }
  const body = { name: name.slice(0, 200), ...(description && { description }) }
  if ('code' in content) {
    await client.admin.updateBot({ params, body: { code: content.code } })
    await client.admin.createBotVersion({ params, body })
    return
  }
  const { document, knowledge } = content
  const options = { headers: { 'x-bot-id': botId } }
  await createMissingData(client, document, options)
  const { version } = await client.admin
    .publishFromBotJson({ params, body: { botJson: document } })
    .catch((error) => rethrowWithPlaces(error, source))
  const { id: versionId } = version as { id: string }
  await client.platform.updateVersion({ params: { botId, versionId }, body })
  if (knowledge.length === 0) return
  const bases = await findKnowledgeBases(client, options)
  for (const file of knowledge)
    await uploadKnowledge(client, botId, bases.get(file.base)!, { ...file, isExample })
}

/** Parts of an exported document that a new bot still needs from its owner. */
export interface Missing {
  secrets: string[]
  /** Aliases. */
  integrations: string[]
}

/** Creates a bot; it exists only if its deployment succeeded. */
export async function createFrom(client: Client, name: string, source: BotSource | null) {
  const { bot } = await client.admin.createBot({ body: { name } })
  try {
    if (!source) return { bot, missing: null, loadError: undefined }
    const { prepared, missing } = prepare(source)
    // Files of most documents are named bot.json.
    const isDocument = 'document' in source.content
    await deploy(client, bot.id, prepared, { name: isDocument ? name : source.file })
    return { bot, missing, loadError: await findLoadError(client, bot.id) }
  } catch (error) {
    await client.admin.deleteBot({ params: { id: bot.id } })
    throw error
  }
}

interface DocumentedIntegration {
  name: string
  configuration?: unknown
}

/** The server's own integrations need no configuration. */
const builtIn = ['chat', 'webchat']

/**
 * Exported documents contain names of secrets, and integrations without their configuration. A new
 * bot gets no secrets, and these integrations disabled, until its owner adds the missing parts.
 */
function prepare(source: BotSource): { prepared: BotSource; missing: Missing } {
  const { content } = source
  if ('code' in content)
    return { prepared: source, missing: { secrets: [], integrations: [] } }
  const {
    secrets = [],
    integrations = {},
    ...rest
  } = content.document as {
    secrets?: string[]
    integrations?: Record<string, DocumentedIntegration>
  }
  const all = Object.entries(integrations)
  const isBare = ({ name, configuration }: DocumentedIntegration) =>
    configuration === undefined && !builtIn.includes(name)
  const bare = all.filter(([, each]) => isBare(each)).map(([alias]) => alias)
  const disabled = all.map(([alias, each]) => [
    alias,
    isBare(each) ? { ...each, enabled: false } : each,
  ])
  const document = {
    ...rest,
    ...(all.length > 0 && { integrations: Object.fromEntries(disabled) }),
  }
  return {
    prepared: { ...source, content: { ...content, document } },
    missing: { secrets, integrations: bare },
  }
}

/** Of documents of an example. A document of the same name that replaces one has none. */
export const sampleTags = { sample: 'true' }

async function uploadKnowledge(
  client: Client,
  botId: string,
  kbId: string,
  { name, text, isExample }: { name: string; text: string; isExample: boolean },
) {
  const content = new Blob([text], { type: 'text/plain' })
  const options = { headers: { 'x-bot-id': botId } }
  const { file } = await client.files.upsertFile(
    {
      body: {
        key: `knowledge/${kbId}/${name}`,
        size: content.size,
        contentType: content.type,
        index: true,
        tags: {
          source: 'knowledge-base',
          kbId,
          title: name.replace(/\.\w+$/, ''),
          ...(isExample && sampleTags),
        },
      },
    },
    options,
  )
  const response = await fetch(file.uploadUrl!, { method: 'PUT', body: content })
  if (!response.ok)
    throw new Error(`The upload of ${name} failed with status ${response.status}`)
  await waitForIndex(botId, async () => {
    const { file: stored } = await client.files.getFile(
      { params: { id: file.id } },
      options,
    )
    return stored.status !== 'indexing_completed' && stored.status !== 'indexing_failed'
  })
}

const maxWaitMs = 9_000

/** The first question should find an answer. A file that takes longer is indexed later. */
async function waitForIndex(botId: string, isPending: () => Promise<boolean>) {
  const endsAt = performance.now() + maxWaitMs
  for (let isChanged = true; isChanged; ) {
    const change = nextNote(
      ({ topic, botId: changed }) => topic === 'files' && changed === botId,
      endsAt - performance.now(),
    )
    if (!(await isPending())) return
    isChanged = await change
  }
}
