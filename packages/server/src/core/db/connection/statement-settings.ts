// Statements that carry settings along, which end with the statement. So statements of several kinds share
// connections, also through PgBouncer in transaction mode, where each may reach another session of
// PostgreSQL. There, sessions keep prepared statements for all servers, so names contain digests of
// the texts: servers of different versions never share a name for different texts. Works with and
// without `max_prepared_statements`.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { type Connection, PreparedQuery, submit } from './prepared-query.ts'
import type { SessionSettings } from './sessions.ts'

export interface Statement {
  /** Empty for a statement that the session does not keep. */
  name: string
  text: string
  values: unknown[]
}

/** Runs a statement with settings, in one round trip. */
export async function runWithSettings<Row>(
  client: pg.ClientBase,
  settings: SessionSettings,
  statement: Statement,
): Promise<Row[]> {
  try {
    return await submit(client, new QueryWithSettings(settings, statement, false))
  } catch (error) {
    if (!isOtherSession(error)) throw error
    return await submit(client, new QueryWithSettings(settings, statement, true))
  }
}

/**
 * Returns whether the session lacks a statement that another one has, or has one that is new to
 * this connection. Nothing was executed.
 */
function isOtherSession(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === '26000' || code === '42P05'
}

/** The names of the statements that were prepared through a connection, in any session. */
const prepared = new WeakMap<Connection, Set<string>>()

class QueryWithSettings extends PreparedQuery {
  readonly #settings: SessionSettings
  /** Prepares statements again, whether the session has them or not. */
  readonly #replaces: boolean
  #isSet = false

  constructor(
    settings: SessionSettings,
    { name, text, values }: Statement,
    replaces: boolean,
  ) {
    super(name && getName(settings, name, text), text, values)
    this.#settings = settings
    this.#replaces = replaces
  }

  /** One implicit transaction lasts from the first statement to `sync`. */
  override submit(connection: Connection): null {
    const text = toQuery(this.#settings)
    const name = getName(this.#settings, 'settings', text)
    connection.stream.cork()
    this.#prepare(connection, name, text)
    connection.bind({ portal: '', statement: name, values: [] })
    connection.execute({ portal: '', rows: 0 })
    this.#prepare(connection, this.name, this.text)
    this.execute(connection)
    connection.sync()
    connection.stream.uncork()
    return null
  }

  #prepare(connection: Connection, name: string, text: string) {
    if (name === '') return connection.parse({ name, text, types: [] })
    const known = prepared.get(connection) ?? new Set()
    prepared.set(connection, known)
    if (this.#replaces) connection.close({ type: 'S', name })
    else if (known.has(name)) return
    connection.parse({ name, text, types: [] })
    known.add(name)
  }

  /** Skips the row of the settings. */
  override handleDataRow(row: { fields: (string | null)[] }): void {
    if (this.#isSet) super.handleDataRow(row)
  }

  override handleCommandComplete(): void {
    this.#isSet = true
  }
}

const queries = new WeakMap<SessionSettings, string>()

/** Returns a query that sets them until the transaction ends. */
function toQuery(settings: SessionSettings): string {
  const known = queries.get(settings)
  if (known !== undefined) return known
  const set = ([name, value]: [string, string]) =>
    `set_config('${name}', '${value}', true)`
  const query = `select ${Object.entries(settings).map(set).join(', ')}`
  queries.set(settings, query)
  return query
}

const names = new WeakMap<SessionSettings, Map<string, string>>()

/** The plan of a statement depends on the settings, so its name does too. */
function getName(settings: SessionSettings, name: string, text: string): string {
  const known = names.get(settings) ?? new Map<string, string>()
  names.set(settings, known)
  const found =
    known.get(text) ?? `${name.slice(0, 30)}_${digest(`${toQuery(settings)} ${text}`)}`
  known.set(text, found)
  return found
}

/** PostgreSQL compares the first 63 bytes of names. */
const digest = (text: string) =>
  createHash('sha256').update(text).digest('hex').slice(0, 32)
