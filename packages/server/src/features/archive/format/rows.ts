// Bulk transfer of rows with COPY, streamed in both directions with back-pressure.
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Database } from '../../../core/db/index.ts'

/** One JSON text per line; the quote and delimiter characters never occur in JSON. */
const asLines = "with (format csv, quote e'\\x01', delimiter e'\\x02')"

export const readLines = (client: pg.ClientBase, query: string) =>
  copyOut(client, `copy (${query}) to stdout ${asLines}`)

/**
 * Ends when the session is ready for the next query, not at the last row: the stream owns the
 * connection while it is open.
 */
async function* copyOut(client: pg.ClientBase, text: string): AsyncGenerator<Buffer> {
  const ready = once(client, 'drain')
  yield* client.query(copyTo(text))
  await ready
  await setImmediate()
}

/** Fills the temporary table `staged`, which has one column of JSON. Returns the number of rows. */
export async function stage(
  client: pg.ClientBase,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  await pipeline(content, client.query(copyFrom(`copy staged from stdin ${asLines}`)))
  const { rows } = await client.query<{ count: string }>(
    'select count(*) as count from staged',
  )
  return Number(rows[0]!.count)
}

export const readTableRows = (client: pg.ClientBase, table: string, columns: string) =>
  copyOut(client, `copy ${table} (${columns}) to stdout`)

export const writeTableRows = (
  client: pg.ClientBase,
  table: string,
  columns: string,
  content: AsyncIterable<Buffer>,
) => pipeline(content, client.query(copyFrom(`copy ${table} (${columns}) from stdin`)))

/** In bytes: above the maximum row of the API, and small enough for memory. */
const maxLineBytes = 256 * 1024 * 1024

/** Throws RangeError for a line that is too long. */
async function* contentLines(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer[] = []
  let length = 0
  for await (let chunk of content) {
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10)) {
      yield Buffer.concat([...held, chunk.subarray(0, end)]).toString('utf8')
      chunk = chunk.subarray(end + 1)
      held = []
      length = 0
    }
    held.push(chunk)
    length += chunk.length
    if (length > maxLineBytes) throw new RangeError('A line is too long')
  }
  if (length) yield Buffer.concat(held).toString('utf8')
}

/**
 * Transforms row by row. Do not use it for tables with a `json` column, which may contain line
 * breaks.
 */
export async function* mapLines(
  content: AsyncIterable<Buffer>,
  change: (line: string) => string | Promise<string>,
): AsyncGenerator<Buffer> {
  for await (const line of contentLines(content))
    yield Buffer.from(`${await change(line)}\n`)
}

/** Opens a separate session with fixed formats and without timeouts. The caller closes it. */
export async function openSession(
  database: Pick<Database, 'connect'>,
): Promise<pg.Client> {
  const session = await database.connect()
  await session.query(
    `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
      set extra_float_digits = 1`,
  )
  await session.query(
    'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0',
  )
  return session
}
