// Opens the parts that work in the background: indexing, embeddings, periodic tasks, computed
// columns and table jobs.
import { join } from 'node:path'
import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import { findFirstWorkspaceId } from '../core/accounts/index.ts'
import { type Blobs, openBlobs, openBucket } from '../core/blobs/index.ts'
import type { Config } from '../core/config/index.ts'
import type { Db } from '../core/db/index.ts'
import { startTasks } from '../core/delivery/index.ts'
import {
  type DiskWatch,
  type Events,
  isFull,
  readSpace,
  startDiskWatch,
  version,
} from '../core/installation/index.ts'
import { type ColumnModel, openTables } from '../core/tables/index.ts'
import {
  type ArchiveRunner,
  type BackupPlan,
  startArchiveRunner,
  startScheduledBackups,
  verifyBackupFile,
} from '../features/archive/index.ts'
import { startBroadcasts } from '../features/broadcasts/index.ts'
import { announceHandoffs } from '../features/handoffs/index.ts'
import {
  createNoEmbedder,
  noReranker,
  openEmbedder,
  openIndexer,
  openReplaceableEmbedder,
  openReranker,
  type Reranker,
  startSourceRunner,
} from '../features/knowledge/index.ts'
import {
  type Catalog,
  type Embeddings,
  gatewayCompletions,
  gatewayEmbeddings,
  gatewayRerank,
  includedPackages,
  type Models,
  measuredCompletions,
  measuredEmbeddings,
  openCompletions,
  openEmbeddings,
  openIncludedEmbeddings,
  resolveModels,
  type ServerCalls,
} from '../features/models/index.ts'
import {
  addSweeps,
  removeOldRecordings,
  runErasures,
  runSweeps,
  toRetentionLimits,
} from '../features/privacy/index.ts'
import { type LiveSettings, startMailer, startNotices } from '../features/server-settings/index.ts'
import type { Delivery } from './delivery.ts'
import { features } from './features.ts'
import type { Opened, Storage, StorageOptions } from './storage.ts'

interface Deps extends Storage {
  events: Events
  delivery: Delivery
  models: Models
  /** Of the dashboard. */
  serverSettings: LiveSettings
  /** Returns the URL at which clients reach this server. */
  publicUrl: () => string
}

export type Background = Awaited<ReturnType<typeof openBackground>>

/** Returns a function that returns null while no model is configured. */
function createColumnModel(
  calls: ServerCalls,
  getCatalog: () => Catalog,
  { model }: Config,
  log: Logger,
): () => ColumnModel | null {
  const fixed = model && measuredCompletions(calls, openCompletions(model, log), model.model)
  const chosen = gatewayCompletions(calls)
  return () => fixed ?? (resolveModels(getCatalog(), 'auto', 'text').length > 0 ? chosen : null)
}

/** The included model embeds files and questions if no other one is configured. */
function createEmbeddings(
  calls: ServerCalls,
  catalog: Catalog,
  { config, log }: Pick<StorageOptions, 'config' | 'log'>,
): Embeddings | 'disabled' | 'notInstalled' {
  if (config.embeddings) return measuredEmbeddings(calls, openEmbeddings(config.embeddings))
  const model = [...catalog.models.values()].find(({ kind }) => kind === 'embedding')
  if (model) return gatewayEmbeddings(calls, model.id)
  if (!config.includedModel) return 'disabled'
  const timeoutMs = config.localModelSeconds * 1_000
  const included = openIncludedEmbeddings({ memoryMb: config.localModelMemoryMb, timeoutMs, log })
  if (included) return included
  log.warn(`files are searched by words only: install ${includedPackages.join(' and ')}`)
  return 'notInstalled'
}

/** Does nothing without a reranking model. */
function createReranker(
  calls: ServerCalls,
  catalog: Catalog,
  { config, db, log }: { config: Config; db: Db; log: Logger },
): Reranker {
  const model = [...catalog.models.values()].find(({ kind }) => kind === 'rerank')
  const count = config.rerankPassages
  if (!model || count === 0) return noReranker
  return openReranker({ db, log, count, rerank: gatewayRerank(calls, model.id) })
}

/** Notes the changes of archives for open pages. Backups belong to the first workspace. */
const openArchives = (
  { database, db, secrets, tableRules, delivery, worker }: Deps,
  blobs: Blobs,
  { config, log, disk }: { config: Config; log: Logger; disk: DiskWatch },
) =>
  startArchiveRunner({
    database,
    blobs,
    secrets,
    tableRules,
    version,
    log,
    isDiskFull: disk.isFull,
    workerId: () => worker.id,
    folder: config.backupFolder ?? join(config.dataFolder, 'backups'),
    async onChange({ id, workspace_id: owner }) {
      const workspaceId = owner ?? (await findFirstWorkspaceId(db))
      if (workspaceId) delivery.changeFeed.publish({ topic: 'archives', workspaceId, id })
    },
  })

async function openScheduledBackups(
  { database, serverSettings }: Deps,
  runner: ArchiveRunner,
  { config, log, connection, masterKey }: StorageOptions,
) {
  const bucket = config.backupBucket && (await openBucket(config.backupBucket))
  const getPlan = (): BackupPlan => ({
    schedule: config.backupSchedule,
    keep: config.backupKeep,
    verifies: config.backupVerify,
    setAt: serverSettings.backupsSetAt(),
  })
  // The embedded database is on the disk of the data folder; the space of another is unknown.
  const hasSpaceFor = async (bytes: number) => {
    if (config.databaseUrl !== null) return true
    const { freeBytes, totalBytes } = await readSpace(config.dataFolder)
    return !isFull({ freeBytes: freeBytes - bytes, totalBytes })
  }
  const verify = (file: string) =>
    verifyBackupFile({ database, connection, masterKey, hasSpaceFor }, file)
  return startScheduledBackups({ database, runner, bucket, log, getPlan, verify })
}

const startErasures = ({ database, secrets, tableRules, delivery, models }: Deps, log: Logger) =>
  new PeriodicTask({
    task: () =>
      runErasures({
        database,
        secrets,
        tableRules,
        recordings: models.gateway.deps.recordings,
        onUserErased: (botId, userId) => delivery.signals.cutEverywhere(botId, userId),
        onProgress: (botId, id) => {
          delivery.changeFeed.publish({ topic: 'users', botId, id })
          announceHandoffs(delivery, botId)
        },
      }),
    paceMs: 1_000,
    failed: (error) => log.warn({ err: error }, 'an erasure failed; the server tries again'),
  })

const startWebsites = (
  { database, db, worker, delivery }: Deps,
  parts: Pick<Parameters<typeof startSourceRunner>[0], 'blobs' | 'limits' | 'log' | 'indexer'>,
) =>
  startSourceRunner({
    ...parts,
    database,
    db,
    workerId: () => worker.id,
    outgoing: delivery.hosting.outgoing,
    workspaceOf: (botId) => delivery.callers.workspace(botId),
    onChange: (source) => delivery.changeFeed.publish({ topic: 'files', ...source }),
  })

/** Erases data of people, and data older than the rules of its bot. */
function startPrivacy(deps: Deps, config: Config, log: Logger) {
  const { database, db, tableRules, delivery } = deps
  const limits = toRetentionLimits(config)
  const failed = (error: unknown) => log.warn({ err: error }, 'the deletion of old data failed')
  const onUserDeleted = (botId: string, userId: string) =>
    delivery.signals.cutEverywhere(botId, userId)
  const tasks = [
    startErasures(deps, log),
    new PeriodicTask({
      task: () => runSweeps({ database, limits, tableRules, onUserDeleted }),
      paceMs: 10_000,
      failed,
    }),
    new PeriodicTask({ task: () => addSweeps(db, limits), paceMs: 600_000, failed }),
    new PeriodicTask({
      task: () => removeOldRecordings(db, deps.models.gateway.deps.recordings),
      paceMs: 600_000,
      failed,
    }),
  ]
  return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) }
}

/** Sends e-mails, and writes those about failed backups. */
function startMails(
  { db, secrets, delivery, publicUrl, serverSettings }: Deps,
  own: Pick<StorageOptions, 'config' | 'log'> &
    Pick<Parameters<typeof startNotices>[0], 'readBackups'>,
) {
  const { outgoing } = delivery.hosting
  return [
    startMailer({ ...own, db, secrets, outgoing }),
    startNotices({ ...own, db, secrets, publicUrl }),
    serverSettings,
  ]
}

function watchDisk({ events }: Deps, { config, log, readSpace }: StorageOptions): DiskWatch {
  const disk = startDiskWatch(config, log, readSpace)
  events.on('onDiskFull', disk.look)
  // A database without space for its WAL ends all connections.
  events.on('onConnectionError', disk.look)
  return disk
}

export async function openBackground(deps: Deps, options: StorageOptions, opened: Opened) {
  const { config, log } = options
  const { limits } = config
  const { database, db, delivery, models, publicUrl } = deps
  const { hosting, queue, signals, issues, getRedactors } = delivery
  const blobs = await openBlobs(config, () => deps.events.emit('onDiskFull'))
  const { gateway, getCatalog } = models
  const calls = { gateway, workspaceOf: (botId: string) => delivery.callers.workspace(botId) }
  const getEmbeddings = () => createEmbeddings(calls, getCatalog(), options)
  const { indexer, websites, embedder } = openKnowledge(deps, { log, limits, blobs, getEmbeddings })
  const reranker = createReranker(calls, getCatalog(), { config, db, log })
  const tasks = startTasks(
    {
      config,
      log,
      database,
      db,
      blobs,
      signals,
      issues,
      getRedactors,
      publicUrl,
      deliveries: queue,
      invoker: hosting.invoker,
      onSearchable: (botId) => delivery.changeFeed.publish({ topic: 'messageSearch', botId }),
    },
    queue,
    features.flatMap((feature) => feature.tasks?.({ db, config }) ?? []),
  )
  const getModel = createColumnModel(calls, getCatalog, config, log)
  const tables = openTableWork(deps, { log, limits, blobs, getModel })
  const disk = watchDisk(deps, options)
  const archives = openArchives(deps, blobs, { config, log, disk })
  const backups = await openScheduledBackups(deps, archives, options)
  const privacy = startPrivacy(deps, config, log)
  const broadcasts = startBroadcasts({ ...delivery, database, deliveries: queue, log })
  const mails = startMails(deps, { config, log, readBackups: backups.read })
  const stopped = [privacy, broadcasts, websites, archives, backups, disk, tasks, ...mails]
  const stop = () =>
    Promise.all([
      // The archives' runner ends a running backup, for which the schedule waits.
      ...stopped.map((one) => one.stop()),
      tables.stop(),
      indexer.close(),
      embedder.close(),
    ])
  opened.push(stop)
  return {
    blobs,
    indexer,
    websites,
    embedder,
    reranker,
    tasks,
    tables: tables.services,
    archives,
    backups,
    disk,
    stop,
  }
}

interface TableWork {
  log: Logger
  limits: Config['limits']
  blobs: Blobs
  getModel: ReturnType<typeof createColumnModel>
}

const openTableWork = (deps: Deps, options: TableWork) =>
  openTables({
    ...deps,
    ...options,
    workerId: () => deps.worker.id,
    changeFeed: deps.delivery.changeFeed,
    run: deps.delivery.hosting.runColumnCode,
  })

interface KnowledgeOptions {
  log: Logger
  limits: Config['limits']
  blobs: Blobs
  getEmbeddings: () => ReturnType<typeof createEmbeddings>
}

/** Starts the reading of files and websites, and their embeddings. */
function openKnowledge(deps: Deps, { log, limits, blobs, getEmbeddings }: KnowledgeOptions) {
  const { db, worker, delivery } = deps
  const onChange = (file: { botId: string; id: string }) =>
    delivery.changeFeed.publish({ topic: 'files', ...file })
  const indexer = openIndexer({
    db,
    blobs,
    log,
    workerId: () => worker.id,
    maxBytes: limits.indexableBytes,
    onChange,
  })
  const websites = startWebsites(deps, { blobs, limits, log, indexer })
  const embedder = openReplaceableEmbedder(() => {
    const embeddings = getEmbeddings()
    if (typeof embeddings === 'string') return createNoEmbedder(embeddings)
    return openEmbedder({ db, log, embeddings, onProgress: onChange })
  })
  const failed = (error: unknown) => log.error({ err: error }, 'cannot replace embeddings')
  deps.serverSettings.onModels(() => void embedder.replace().catch(failed))
  return { indexer, websites, embedder }
}
