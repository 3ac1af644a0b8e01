// Statements through PgBouncer in transaction mode, where each may reach another session of
// PostgreSQL. It carries its settings along, which end with the statement. Sessions keep prepared
// statements for all servers, so names are digests of the texts: servers of different versions
// never share a name for different texts. Works with and without `max_prepared_statements`.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { type Connection, PreparedQuery, submit } from './prepared-query.ts'

/** Settings of PostgreSQL by name. */
export type SessionSettings = Record<string, string>

/** Returns commands that set them until the transaction ends. */
export const toLocalSettings = (session: SessionSettings): string =>
  Object.entries(session)
    .map(([name, value]) => `set local ${name} = '${value}'; `)
    .join('')

interface Statement {
  text: string
  values: unknown[]
  /** Whether to keep it in the session with its plan. */
  isPrepared: boolean
}

/** Runs a statement with settings. */
export async function runPooled<Row>(
  client: pg.ClientBase,
  session: SessionSettings,
  statement: Statement,
): Promise<Row[]> {
  try {
    return await submit(client, new PooledQuery(session, statement, false))
  } catch (error) {
    if (!isOtherSession(error)) throw error
    return await submit(client, new PooledQuery(session, statement, true))
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

class PooledQuery extends PreparedQuery {
  readonly #session: SessionSettings
  /** Prepares statements again, whether the session has them or not. */
  readonly #replaces: boolean
  #isSet = false

  constructor(
    session: SessionSettings,
    { text, values, isPrepared }: Statement,
    replaces: boolean,
  ) {
    super(isPrepared ? nameOf(session, text) : '', text, values)
    this.#session = session
    this.#replaces = replaces
  }

  /** One implicit transaction lasts from the first statement to `sync`. */
  override submit(connection: Connection): null {
    const settings = toQuery(this.#session)
    const settingsName = nameOf(this.#session, settings)
    connection.stream.cork()
    this.#prepare(connection, settingsName, settings)
    connection.bind({ portal: '', statement: settingsName, values: [] })
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
function toQuery(session: SessionSettings): string {
  const known = queries.get(session)
  if (known !== undefined) return known
  const set = ([name, value]: [string, string]) => `set_config('${name}', '${value}', true)`
  const query = `select ${Object.entries(session).map(set).join(', ')}`
  queries.set(session, query)
  return query
}

const names = new WeakMap<SessionSettings, Map<string, string>>()

/** The plan of a statement depends on the settings, so its name does too. */
function nameOf(session: SessionSettings, text: string): string {
  const known = names.get(session) ?? new Map<string, string>()
  names.set(session, known)
  const name = known.get(text) ?? digest(`${toQuery(session)} ${text}`)
  known.set(text, name)
  return name
}

/** PostgreSQL compares the first 63 bytes of names. */
const digest = (text: string) => `b_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
