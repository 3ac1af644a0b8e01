// What the channels need from the rest of the server.
import type { Logger } from 'pino'
import type { BotServices } from '../../core/bots/index.ts'
import type { Limits } from '../../core/config/index.ts'
import type { Database, Db } from '../../core/db/index.ts'
import type { Targets } from '../../core/delivery/index.ts'
import type { Blobs } from '../../core/files/index.ts'
import type { TransactionServices } from '../../core/idempotency/index.ts'
import type { MessagingServices } from '../../core/messaging/index.ts'
import type { Outgoing } from '../../core/outgoing/index.ts'
import type { QueueServices } from '../../core/queue/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'

/** Inside of a transaction, messages and events are written in it. */
export interface ArrivalServices
  extends TransactionServices<ArrivalServices>,
    Pick<MessagingServices, 'messages' | 'hooks'>,
    Pick<QueueServices, 'deliveries'> {
  limits: Limits
}

export interface ChannelDeps {
  log: Logger
  db: Db
  database: Database
  secrets: Secrets
  blobs: Blobs
  limits: Limits
  getRedactors: BotServices['getRedactors']
  outgoing: Pick<Outgoing, 'for' | 'resolve'>
  targets: Pick<Targets, 'integration'>
  /** The URL at which clients reach this server. */
  publicUrl: () => string
  inTransaction: <T>(work: (inside: ArrivalServices) => Promise<T>) => Promise<T>
  workerId: () => string
}
