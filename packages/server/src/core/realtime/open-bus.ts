// Opens the bus on PostgreSQL and, with NATS_URL, on NATS.
import type { Logger } from 'pino'
import type { Database } from '../db/index.ts'
import type { Secrets } from '../sealing/index.ts'
import { Bus } from './bus.ts'
import { NatsChannel } from './nats-channel.ts'
import { PostgresChannel } from './postgres-channel.ts'

interface Deps {
  database: Database
  /** Empty without NATS. */
  natsUrls: string[]
  secrets: Pick<Secrets, 'derive'>
  log: Logger
  /** Returns whether no other process exists; then sending is skipped. */
  isAlone: () => boolean
}

export const openBus = ({ database, natsUrls, secrets, log, isAlone }: Deps): Bus =>
  new Bus({
    postgres: new PostgresChannel(database),
    nats: natsUrls.length > 0 ? openNats(natsUrls, secrets, log) : null,
    log,
    isAlone,
  })

/** Installations that share a NATS server use different subjects. */
const openNats = (urls: string[], secrets: Deps['secrets'], log: Logger) =>
  new NatsChannel({
    urls,
    log,
    subject: `botstead.${secrets.derive('NATS subject').toString('hex').slice(0, 32)}`,
    key: secrets.derive('NATS payloads'),
  })
