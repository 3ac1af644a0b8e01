// Opens the parts that work in the background.
import { openBlobs } from '../core/files/index.ts'
import { type DiskWatch, diskSpace, type Events } from '../core/installation/index.ts'
import { tablesModule } from '../core/tables/index.ts'
import { archive } from '../features/archive/index.ts'
import { broadcasts } from '../features/broadcasts/index.ts'
import { knowledge } from '../features/knowledge/index.ts'
import type { models } from '../features/models/index.ts'
import { privacy } from '../features/privacy/index.ts'
import { serverSettings } from '../features/server-settings/index.ts'
import type { Delivery } from './delivery.ts'
import type { Opened, Storage, StorageOptions } from './storage.ts'

interface Deps extends Storage {
  events: Events
  delivery: Delivery
  models: Awaited<ReturnType<typeof models.open>>
  /** Of the dashboard. */
  liveSettings: Awaited<ReturnType<typeof serverSettings.open>>
  chatKey: string
  /** Returns the URL at which clients reach this server. */
  publicUrl: () => string
}

export type Background = Awaited<ReturnType<typeof openBackground>>

export async function openBackground(
  deps: Deps,
  options: StorageOptions,
  opened: Opened,
) {
  const { events, delivery, models, liveSettings, worker } = deps
  const { config, log, connection, masterKey } = options
  const { hosting, queue } = delivery
  const disk = watchDisk(events, options)
  const shared = {
    ...deps,
    ...delivery,
    config,
    log,
    limits: config.limits,
    blobs: await openBlobs(config, () => events.emit('onDiskFull')),
    outgoing: hosting.outgoing,
    deliveries: queue,
    workerId: () => worker.id,
  }
  const openedKnowledge = knowledge.open({
    ...shared,
    onModels: liveSettings.onModels,
    workspaceOf: delivery.callers.workspace,
  })
  const tables = tablesModule.open({
    ...shared,
    run: hosting.runColumnCode,
    getModel: models.getColumnModel,
  })
  const archives = await archive.open({
    ...shared,
    connection,
    masterKey,
    disk,
    invoker: hosting.invoker,
    backupsSetAt: liveSettings.backupsSetAt,
  })
  const parts = [
    openedKnowledge,
    tables,
    archives,
    disk,
    privacy.start({ ...shared, recordings: models.gateway.deps.recordings }),
    broadcasts.start(shared),
    serverSettings.start({ ...shared, readBackups: archives.backups.read }),
    liveSettings,
  ]
  const stop = () => Promise.all(parts.map((part) => part.stop()))
  opened.push(stop)
  return {
    services: {
      blobs: shared.blobs,
      ...openedKnowledge.services,
      ...tables.services,
      ...archives.services,
    },
    backups: archives.backups,
    disk,
    stop,
  }
}

function watchDisk(
  events: Events,
  { config, log, readSpace }: StorageOptions,
): DiskWatch {
  const disk = diskSpace.startWatch(config, log, readSpace)
  events.on('onDiskFull', disk.look)
  // A database without space for its WAL ends all connections.
  events.on('onConnectionError', disk.look)
  return disk
}
