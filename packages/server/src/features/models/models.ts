// Opens the model gateway.
import { readdir } from 'node:fs/promises'
import { StartError } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Issues } from '../../core/bots/index.ts'
import { listImplementingByName } from '../../core/catalog/index.ts'
import type { GetRedactors } from '../../core/compute/index.ts'
import type { Section } from '../../core/config/index.ts'
import type { Database } from '../../core/db/index.ts'
import { callAction, createActionCache, type Invoker } from '../../core/delivery/index.ts'
import type { Invalidation } from '../../core/http/index.ts'
import type { Events } from '../../core/installation/index.ts'
import type { ChatDeps, MessagingHooks } from '../../core/messaging/index.ts'
import type { Outgoing } from '../../core/outgoing/index.ts'
import type { ChangeFeed } from '../../core/realtime/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import type { Metrics } from '../../core/telemetry/index.ts'
import type { UsageCounter } from '../../core/usage/index.ts'
import {
  type ChosenModel,
  type FixedModels,
  findFixedModels,
  withChosenModels,
} from './chosen-models.ts'
import { openBudgets } from './gateway/budgets.ts'
import { Gateway } from './gateway/gateway.ts'
import { openLedger } from './gateway/ledger.ts'
import { openMediaFetcher, prepareMedia } from './gateway/media.ts'
import { openRecordings, type Recordings } from './gateway/recordings.ts'
import { ReplyCache } from './gateway/reply-cache.ts'
import { openIntegrationCatalogs } from './integration-catalogs.ts'
import {
  type LocalModels,
  openLocalModels,
  withLocalModels,
} from './local/local-models.ts'
import { readLocalModels } from './local/model-folder.ts'
import {
  type Catalog,
  CatalogError,
  emptyCatalog,
  readCatalog,
  withEndpoint,
} from './providers/catalog.ts'
import { openTransport, type Send } from './providers/transport.ts'
import { openServerModels, type ServerModels } from './server-models.ts'
import { openTranscriber } from './transcription.ts'
import { openWorkspaceCatalogs } from './workspace-providers.ts'

interface Deps {
  config: Section<'models'> & { insightDays: number }
  sources: ModelSources
  log: Logger
  database: Database
  secrets: Secrets
  events: Events
  metrics: Metrics
  usage: Pick<UsageCounter, 'count'>
  outgoing: Outgoing
  /** Of calls of actions. */
  chat: Omit<ChatDeps, 'db' | 'database' | 'changeFeed' | 'hooks'>
  invoker: Invoker
  /** Null for a bot that was deleted. */
  workspaceOf: (botId: string) => Promise<string | null>
  changeFeed: Pick<ChangeFeed, 'publish'>
  hooks: Pick<MessagingHooks, 'chatActions'>
  getRedactors: GetRedactors
  issues: Pick<Issues, 'report'>
  /** Those of the dashboard. */
  chosen: {
    chosenModels(): ChosenModel[]
    onModels(listener: () => void): void
  }
}

export interface Models extends ServerModels {
  gateway: Gateway
  /** Of voice notes. */
  transcriber: ReturnType<typeof openTranscriber>
  close(): Promise<void>
}

/** The operator's choice of models, without the local ones. */
export interface ModelSources {
  catalog: Catalog
  recordings: Recordings | null
  /** The variables that configure models. */
  fixed: FixedModels
}

/** Throws StartError if BOTSTEAD_MODELS or BOTSTEAD_MODELS_REPLAY is not valid. */
export async function readModelSources(config: Section<'models'>): Promise<ModelSources> {
  const catalog = await loadCatalog(config)
  const recordings = await loadRecordings(config)
  return { catalog, recordings, fixed: findFixedModels(config, catalog) }
}

/**
 * Throws StartError if a setting of models is not valid, so that a start fails before it creates a
 * database.
 */
export async function checkModelSettings(config: Section<'models'>): Promise<void> {
  await readModelSources(config)
  if (config.localModels !== null) await readLocalModels(config.localModels)
}

/** Throws StartError if BOTSTEAD_LOCAL_MODELS is not valid. */
export async function openModels(deps: Deps): Promise<Models> {
  const { config, log, database, secrets, events, metrics, usage, outgoing, sources } =
    deps
  const local = await loadLocalModels(config, log)
  const readAll = () =>
    withChosenModels(withLocalModels(sources.catalog, local), deps.chosen.chosenModels())
  let catalog = readAll()
  const getCatalog = () => catalog
  const transport = openTransport()
  const ledger = openPublishedLedger(deps)
  const budgets = openBudgets(database)
  const catalogs = openWorkspaceCatalogs(database.db, secrets, getCatalog)
  const integrations = openIntegrationCatalogs({
    call: integrationCaller(deps),
    log,
    listIntegrations: (botId) => listImplementingByName(database.db, botId, 'llm'),
  })
  events.on('onInvalidate', (what) => {
    invalidateWorkspace(what, [budgets, catalogs])
    if (what === 'all') integrations.invalidate(null)
    else if ('botId' in what) integrations.invalidate(what.botId)
  })
  deps.chosen.onModels(() => {
    catalog = readAll()
    catalogs.invalidate(null)
  })
  const getSend = async (workspaceId: string | null): Promise<Send> =>
    workspaceId === null ? transport.send : outgoing.for(workspaceId)
  const fetcher = openMediaFetcher(getSend)
  const gateway = new Gateway({
    log,
    ledger,
    budgets,
    usage,
    getSend,
    metrics: metrics.models,
    getCatalog: async (caller) =>
      integrations.extend(await catalogs.of(caller.workspaceId), caller),
    workspaceCatalogOf: (workspaceId) => catalogs.of(workspaceId),
    onNoModel: reportMissing(deps.issues),
    cache: new ReplyCache(sources.catalog),
    recordings: sources.recordings,
    getRedactors: deps.getRedactors,
    logContents: sources.catalog.logContents,
    fetchMedia: fetcher.fetch,
    prepareMedia: (model, opened, ...call) =>
      prepareMedia(fetcher, { model, opened }, ...call),
  })
  const { workspaceOf } = deps
  return {
    gateway,
    transcriber: openTranscriber(gateway),
    ...openServerModels({ gateway, workspaceOf }, { config, log, getCatalog }),
    close: async () =>
      void (await Promise.all([transport.close(), ledger.close(), local.close()])),
  }
}

const openPublishedLedger = ({ database, log, config, changeFeed }: Deps) =>
  openLedger({
    database,
    log,
    days: config.insightDays,
    recorded: ({ botId, conversationId }) =>
      changeFeed.publish({
        topic: 'modelCalls',
        botId,
        ...(conversationId && { conversationId }),
      }),
  })

const reportMissing =
  (issues: Deps['issues']): ConstructorParameters<typeof Gateway>[0]['onNoModel'] =>
  ({ botId, conversationId, eventId }, { message }) =>
    issues.report(botId, {
      code: 'model_missing',
      message,
      facts: { ...(conversationId && { conversationId }), ...(eventId && { eventId }) },
    })

/** The gateway measures these calls itself, and does not keep prompts. MCP servers are no models. */
function integrationCaller({
  chat,
  database,
  invoker,
  changeFeed,
  hooks: chatHooks,
}: Deps) {
  const hooks = { ...chatHooks, actionCalled: [], findRemoteAction: [] }
  const deps = {
    ...chat,
    db: database.db,
    database,
    invoker,
    changeFeed,
    hooks,
    usage: { count() {} },
    actionCache: createActionCache(),
  }
  return async (botId: string, type: string, input: Record<string, unknown>) => {
    const caller = { botId, cause: null, run: null, fence: null }
    return (await callAction(deps, caller, type, input)).output
  }
}

function invalidateWorkspace(
  what: Invalidation | 'all',
  caches: { invalidate(workspaceId: string | null): void }[],
): void {
  if (what !== 'all' && !('workspaceId' in what)) return
  for (const cache of caches) cache.invalidate(what === 'all' ? null : what.workspaceId)
}

async function loadRecordings({
  modelsRecord,
  modelsReplay,
}: Section<'models'>): Promise<Recordings | null> {
  if (!modelsReplay) return modelsRecord ? openRecordings(modelsRecord, 'record') : null
  await readdir(modelsReplay).catch(({ code }) => {
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    throw new StartError(`BOTSTEAD_MODELS_REPLAY: the folder "${modelsReplay}" ${reason}`)
  })
  return openRecordings(modelsReplay, 'replay')
}

async function loadLocalModels(
  {
    localModels: folder,
    localModelMemoryMb: memoryMb,
    localModelSeconds,
  }: Section<'models'>,
  log: Logger,
): Promise<LocalModels> {
  if (folder === null) return { models: [], close: async () => {} }
  return openLocalModels({ folder, memoryMb, timeoutMs: localModelSeconds * 1_000, log })
}

async function loadCatalog({
  models,
  model,
  embeddings,
}: Section<'models'>): Promise<Catalog> {
  try {
    const catalog = models ? await readCatalog(models, process.env) : emptyCatalog
    const withModel = model ? withEndpoint(catalog, 'default', 'text', model) : catalog
    return embeddings
      ? withEndpoint(withModel, 'embeddings', 'embedding', embeddings)
      : withModel
  } catch (error) {
    if (error instanceof CatalogError) throw new StartError(error.message)
    throw error
  }
}
