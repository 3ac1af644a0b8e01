// A connection to the database: to the server that accepts writes, if there are several. A failure
// to connect is marked as one that changed nothing.
import pg from 'pg'
import { getSearch, type SeveralHosts } from './hosts.ts'
import { type BindingConnection, sendLargeValuesDirectly } from './large-values.ts'
import { markUnchanged } from './unavailable.ts'

export type ClientSettings = pg.ClientConfig & Partial<SeveralHosts>

export class DatabaseClient extends pg.Client {
  readonly #search: ReturnType<typeof getSearch> | null

  constructor(settings: ClientSettings = {}) {
    super(settings)
    const { hosts, target = 'read-write' } = settings
    this.#search = hosts ? getSearch({ ...settings, hosts, target }) : null
    sendLargeValuesDirectly(this.#connection)
    // An error before the pool has added its listener must not end the process.
    this.on('error', () => {})
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    // At once, as the pool expects it.
    if (callback && !this.#search) {
      super.connect((error: Error) => callback(markUnchanged(error) as Error))
      return
    }
    const connecting = this.#connectToHost().catch((error) => {
      this.#search?.lookAgain()
      throw markUnchanged(error)
    })
    if (!callback) return connecting
    connecting.then(() => callback(null as never), callback)
  }

  async #connectToHost(): Promise<pg.Client> {
    const search = this.#search
    if (search) Object.assign(this, await search.find())
    await super.connect()
    if (search) {
      search.clients.add(this)
      this.once('end', () => search.clients.delete(this))
    }
    return this
  }

  /** Ends it as a broken connection. */
  cut(): void {
    this.#connection.stream.destroy()
  }

  /** The driver's type declarations leave it out. */
  get #connection() {
    const { connection } = this as unknown as {
      connection: BindingConnection & { stream: { destroy(): void } }
    }
    return connection
  }
}
