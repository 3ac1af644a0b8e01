// Opens the state that all parts share: database, keys, the worker's lease, the bus and the rate
// limits.
import type { Logger } from 'pino'
import type { Config } from '../core/config/index.ts'
import {
  type ConnectionSettings,
  connections,
  type Database,
  type Db,
  openDatabase,
} from '../core/db/index.ts'
import { type HttpServices, httpModule } from '../core/http/index.ts'
import {
  type diskSpace,
  type Events,
  installationKeys,
} from '../core/installation/index.ts'
import { type Worker, workers } from '../core/queue/index.ts'
import { type Bus, openBus } from '../core/realtime/index.ts'
import type { Secrets } from '../core/sealing/index.ts'
import type { Tables } from '../core/table-rules/index.ts'
import { tableRules } from './tables.ts'

export interface StorageOptions {
  config: Config
  log: Logger
  connection: ConnectionSettings
  masterKey: Buffer
  chatKey: string
  /** Clock for rate limits, in milliseconds. */
  clock?: () => number
  /** Reads the free space of a folder's disk; by default from the system. */
  readSpace?: typeof diskSpace.read
}

/** Opened early, because deliveries use some of them. */
type OpenedHttp = Pick<
  HttpServices,
  'pageTokens' | 'userKeys' | 'lookUpTurns' | 'listenerLimits' | 'rates' | 'limitedCalls'
>

export interface Storage {
  database: Database
  db: Db
  secrets: Secrets
  /** Key of the audit log's chains. */
  auditKey: Buffer
  worker: Worker
  /** Sends notes; receives them once openDelivery calls `listen`. */
  bus: Bus
  tableRules: Tables
  http: OpenedHttp
}

/** Closes the opened parts in reverse order, if a later step of the start fails. */
export type Opened = (() => Promise<unknown>)[]

/** Throws StartError if this server cannot decrypt the database's secrets. */
export async function openStorage(
  { config, log, connection, masterKey, chatKey, clock }: StorageOptions,
  events: Events,
  opened: Opened,
): Promise<Storage> {
  const database = openDatabase(connection, {
    log,
    pooler: toPooler(config),
    replica: config.databaseReadUrl
      ? connections.toSettings(config.databaseReadUrl)
      : null,
    onConnectionError: () => events.emit('onConnectionError'),
    onDiskFull: () => events.emit('onDiskFull'),
  })
  opened.push(() => database.close())
  const { secrets, auditKey } = await installationKeys.openDatabaseKeys(
    database,
    masterKey,
  )
  const worker = await workers.start(database, {
    log,
    leaseSeconds: config.leaseSeconds,
    onLeaseLost: () => events.emit('onLeaseLost'),
    onLeaseReleased: () => events.emit('onLeaseReleased'),
  })
  opened.push(() => worker.stop())
  const bus = openBus({
    database,
    natsUrls: config.natsUrls,
    secrets,
    log,
    isAlone: () => worker.alone,
  })
  const { services } = await httpModule.open({
    database,
    config,
    secrets,
    chatKey,
    log,
    publish: bus.publish,
    ...(clock && { now: clock }),
  })
  opened.push(() => services.rates.close())
  return {
    database,
    db: database.db,
    secrets,
    auditKey,
    worker,
    bus,
    tableRules,
    http: services,
  }
}

const toPooler = ({
  databaseUrl,
  databaseDirectUrl,
}: Config): ConnectionSettings | null =>
  databaseUrl && databaseDirectUrl ? connections.toSettings(databaseUrl) : null
