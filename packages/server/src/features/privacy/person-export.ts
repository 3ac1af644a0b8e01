// Everything about a person as one archive: a gzipped tar of JSON lines, a file for each kind, and the
// contents of files. Read from one snapshot, and written as fast as the client reads.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Database, Db } from '../../core/db/index.ts'
import {
  BlobNotFound,
  type Blobs,
  lockBlobs,
  unlockBlobs,
} from '../../core/files/index.ts'
import type { Person, Tables } from '../../core/table-rules/index.ts'
import { openSession, packTar } from '../archive/index.ts'
import { listPersonSteps, type PersonStep } from './person-data.ts'
import { readmeFor } from './person-readme.ts'
import { type RecordedCalls, readRecordings } from './person-recordings.ts'

interface Deps {
  database: Database
  blobs: Pick<Blobs, 'read'>
  recordings: RecordedCalls
  tableRules: Tables
}

type Row = Record<string, unknown>

/** Rows per round trip. */
const pageSize = 100
/** Size of a file of lines, from which another one follows. */
const maxFileBytes = 4 * 1024 * 1024

/** Columns that are not about the person, or that other columns repeat. */
const internal = [
  'bot_id',
  'alias_id',
  'blob',
  'said_again',
  'updated_slot',
  'original',
  'indexing_worker',
  'request',
  'answer',
  'revision',
  'next_at',
  'owner_key',
  'trace',
]

/** Yields the bytes of the archive. Other users of the person are in folders, one for each. */
export async function* exportPerson(
  deps: Deps,
  person: Person,
  others: Person[] = [],
): AsyncGenerator<Buffer> {
  const gzip = createGzip({ level: 4 })
  const files = packTar(listFiles(deps, person, others))
  const written = pipeline(Readable.from(files), gzip)
  written.catch(() => {}) // reading gzip reports it
  yield* gzip
}

interface ArchivedFile {
  name: string
  size: number
  content: Buffer[] | Readable
}

async function* listFiles(
  deps: Deps,
  person: Person,
  others: Person[],
): AsyncGenerator<ArchivedFile> {
  const { database } = deps
  const session = await openSession(database)
  try {
    // Before the snapshot: contents that are released from now on stay.
    await session.query(lockBlobs)
    await session.query('begin isolation level repeatable read read only')
    const { botId, userId } = person
    const heading = {
      botId,
      userId,
      ...(others.length > 0 && { otherUserIds: others.map((other) => other.userId) }),
      exportedAt: new Date().toISOString(),
    }
    yield toFile('README.txt', Buffer.from(readmeFor(heading.exportedAt)))
    yield toFile('export.json', Buffer.from(`${JSON.stringify(heading, null, 2)}\n`))
    const read = (query: RawBuilder<unknown>) => readRows(session, database.db, query)
    yield* readUser(deps, read, person, '')
    for (const other of others)
      yield* readUser(deps, read, other, `users/${other.userId}/`)
  } finally {
    await session.query('rollback').catch(() => {})
    await session.query(unlockBlobs).catch(() => {})
    await session.end()
  }
}

async function* readUser(
  { database, blobs, recordings, tableRules }: Deps,
  read: (query: Query) => AsyncGenerator<Row>,
  person: Person,
  folder: string,
): AsyncGenerator<ArchivedFile> {
  const steps = listPersonSteps(tableRules)
  for (const [kind, queries] of toQueries(steps, person))
    yield* toLines(folder + kind, queries.map(read))
  yield* toLines(`${folder}recordings`, [readRecordings(database.db, recordings, person)])
  for await (const file of read(filesQuery(steps, person)))
    yield* readContent(blobs, file, folder)
}

type Query = RawBuilder<unknown>

/** Returns the queries of each kind; each returns rows as JSON in the column `row`. */
function toQueries(steps: PersonStep[], person: Person): Map<string, Query[]> {
  const { botId, userId } = person
  const participations = sql`select to_jsonb(t) as row from participant t
    where t.bot_id = ${botId} and t.user_id = ${userId}`
  const queries = new Map<string, Query[]>([['participations', [participations]]])
  for (const { kind, table, belongs, isDerived } of steps) {
    if (isDerived) continue
    const row = table === 'table_row' ? tableRow : sql`to_jsonb(t)`
    const query = sql`select ${row} as row from ${sql.table(table)} t where ${belongs(person)}`
    queries.set(kind, [...(queries.get(kind) ?? []), query])
  }
  return queries
}

/** A row with its table and the names of its columns. */
const tableRow = sql`(select jsonb_build_object('table', b.name, 'id', t.row_id,
    'created_at', t.created_at, 'updated_at', t.updated_at, 'data',
    coalesce((select jsonb_object_agg(c ->> 'name', coalesce(t.data, '{}') -> (c ->> 'id'))
      from jsonb_array_elements(b.columns) c where t.data ? (c ->> 'id')), '{}'))
  from bot_table b where b.bot_id = t.bot_id and b.bot_table_id = t.bot_table_id)`

const filesQuery = (
  steps: PersonStep[],
  person: Person,
) => sql`select jsonb_build_object('id', t.id, 'key', t.key,
    'blob', t.blob, 'size', t.size) as row
  from file t where ${steps.find(({ kind }) => kind === 'files')!.belongs(person)} and t.blob is not null`

/** Reads with a cursor, so that the number of rows does not matter. */
async function* readRows(session: pg.Client, db: Db, query: Query): AsyncGenerator<Row> {
  const { sql: text, parameters } = query.compile(db)
  await session.query(`declare person no scroll cursor for ${text}`, [...parameters])
  for (;;) {
    const { rows } = await session.query<{ row: Row }>(`fetch ${pageSize} from person`)
    for (const { row } of rows) yield row
    if (rows.length < pageSize) break
  }
  await session.query('close person')
}

/** Yields files of JSON lines: `messages.jsonl`, then `messages-2.jsonl` …; none without rows. */
async function* toLines(
  kind: string,
  sources: AsyncGenerator<Row>[],
): AsyncGenerator<ArchivedFile> {
  let lines: string[] = []
  let bytes = 0
  let part = 0
  const flush = () => {
    const content = Buffer.from(lines.join(''))
    lines = []
    bytes = 0
    part++
    return toFile(part === 1 ? `${kind}.jsonl` : `${kind}-${part}.jsonl`, content)
  }
  for (const source of sources)
    for await (const row of source) {
      const line = `${JSON.stringify(toData(row))}\n`
      lines.push(line)
      bytes += line.length
      if (bytes >= maxFileBytes) yield flush()
    }
  if (lines.length > 0) yield flush()
}

/** Names columns like properties of the API. */
const toData = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => value !== null && !internal.includes(name))
      .map(([name, value]) => [
        name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
  )

const toFile = (name: string, content: Buffer): ArchivedFile => ({
  name,
  size: content.length,
  content: [content],
})

/** The name keeps the extension of the file's key, if it is an ordinary one. */
async function* readContent(
  blobs: Deps['blobs'],
  file: Row,
  folder: string,
): AsyncGenerator<ArchivedFile> {
  const { id, key, blob, size } = file as {
    id: string
    key: string
    blob: string
    size: number
  }
  const content = await blobs.read(blob).catch((error) => {
    if (error instanceof BlobNotFound) return null
    throw error
  })
  if (!content) return
  const extension = /\.[a-z0-9]{1,8}$/i.exec(key)?.[0] ?? ''
  yield { name: `${folder}contents/${id}${extension}`, size, content }
}
