// Carries payloads by NOTIFY. It reaches only processes on this database. Payloads are lost only
// with a connection.

import type { Client } from 'pg'
import { type Database, statement } from '../db/index.ts'
import type { Channel, ChannelListeners } from './channel.ts'

const name = 'botstead'
const retryMs = 300

const notifyStatement = statement<{ payloads: string[] }>(
  'notify',
  `select pg_notify('${name}', payload) from unnest(:payloads::text[]) payload`,
)

export class PostgresChannel implements Channel {
  readonly #database: Database
  #client: Client | null = null
  #closed = false

  constructor(database: Database) {
    this.#database = database
  }

  /** Its pool connects when needed. */
  readonly isOpen = true

  /** Throws if the first connection fails. */
  async listen(listeners: ChannelListeners): Promise<void> {
    const client = await this.#database.connect()
    try {
      client.on('notification', ({ payload = '' }) => listeners.onPayload(payload))
      await client.query(`listen ${name}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    this.#client = client
    client.once('end', () => void this.#listenAgain(listeners))
    if (this.#closed) await client.end()
  }

  async #listenAgain(listeners: ChannelListeners): Promise<void> {
    this.#client = null
    while (!this.#closed) {
      listeners.onLost()
      try {
        await this.listen(listeners)
        return listeners.onRestored()
      } catch {
        // The database is restarting; the other connections report that.
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  async send(payloads: string[]): Promise<void> {
    if (payloads.length === 0) return
    await this.#database.lazily(...notifyStatement({ payloads }))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#client?.end()
  }
}
