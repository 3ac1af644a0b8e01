// A query for the driver's `client.query` that runs a prepared statement with half the work of the
// driver's own: PostgreSQL describes the columns of a result once per connection, not each time.
// So the statement must name its columns: with `select *`, a migration would change the result, and
// PostgreSQL would reject the statement on connections that prepared it before. Implements the
// same interface of the driver as `pg-cursor`.
import pg from 'pg'

interface Column {
  name: string
  parse(text: string): unknown
}

/** The parts of the driver's connection that a prepared statement needs. */
export interface Connection {
  readonly stream: { cork(): void; uncork(): void }
  /** Statement texts by name: completed, and sent. The driver removes the latter after an error. */
  readonly parsedStatements: Record<string, string | undefined>
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(statement: { name: string; text: string; types: [] }): void
  bind(values: { portal: ''; statement: string; values: unknown[] }): void
  describe(portal: { type: 'P'; name: '' }): void
  execute(portal: { portal: ''; rows: 0 }): void
  close(statement: { type: 'S'; name: string }): void
  sync(): void
}

/** The columns of each statement's result. */
const described = new WeakMap<Connection, Map<string, Column[]>>()

function columnsOn(connection: Connection): Map<string, Column[]> {
  const known = described.get(connection) ?? new Map<string, Column[]>()
  described.set(connection, known)
  return known
}

export class PreparedQuery {
  /** Set by the driver; receives the rows. */
  callback: ((error: Error | null, rows?: unknown[]) => void) | undefined
  readonly name: string
  readonly text: string
  protected readonly values: unknown[]
  readonly #rows: unknown[] = []
  #columns: Column[] = []
  #connection: Connection | undefined
  #parseError: Error | null = null

  /** Throws if a value cannot be sent. */
  constructor(name: string, text: string, values: unknown[]) {
    this.name = name
    this.text = text
    this.values = values.map((value) => prepareValue(value))
  }

  /** Sends the statement. Returns an error if the name belongs to a different text. */
  submit(connection: Connection): Error | null {
    const { name, text } = this
    const sent =
      connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]
    if (sent !== undefined && sent !== text)
      return new Error(`The name ${name} belongs to a different statement`)
    connection.stream.cork()
    if (sent === undefined) {
      connection.parse({ name, text, types: [] })
      connection.submittedNamedStatements[name] = text
    }
    this.execute(connection)
    connection.sync()
    connection.stream.uncork()
    return null
  }

  /** Sends everything after the statement itself. */
  protected execute(connection: Connection): void {
    this.#connection = connection
    connection.bind({ portal: '', statement: this.name, values: this.values })
    const columns = this.name === '' ? undefined : columnsOn(connection).get(this.name)
    if (columns) this.#columns = columns
    else connection.describe({ type: 'P', name: '' })
    connection.execute({ portal: '', rows: 0 })
  }

  handleRowDescription({
    fields,
  }: {
    fields: { name: string; dataTypeID: number }[]
  }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: pg.types.getTypeParser(dataTypeID, 'text'),
    }))
    columnsOn(this.#connection!).set(this.name, this.#columns)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#columns
    const row: Record<string, unknown> = {}
    try {
      for (let i = 0; i < fields.length; i++) {
        const text = fields[i]!
        row[columns[i]!.name] = text === null ? null : columns[i]!.parse(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#parseError = error as Error
    }
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.callback?.(error)
  }

  handleReadyForQuery(): void {
    if (this.#parseError) this.callback?.(this.#parseError)
    else this.callback?.(null, this.#rows)
  }
}

/** Runs it on one connection. */
export const submit = <Row>(
  client: pg.ClientBase,
  query: PreparedQuery,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    query.callback = (error, rows) => (error ? reject(error) : resolve(rows as Row[]))
    client.query(query as never)
  })

/** The driver's conversion of values to texts and bytes; its type declarations leave it out. */
const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(value: unknown): unknown } }
).utils
