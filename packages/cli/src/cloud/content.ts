// Moves knowledge bases, files and tables.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, RequestError } from '@botstead/client'
import { uploadFile } from '../server/file-transfer.ts'
import {
  download,
  isObstacle,
  isPathPart,
  rejectForeign,
  repeatDownload,
  tooLarge,
  Unfetchable,
} from './ends.ts'
import {
  type BotMove,
  type BotSource,
  type Migration,
  onceOnly,
  sourceTag,
  toEntries,
} from './migration.ts'

type StoredFile = Awaited<ReturnType<Client['files']['getFile']>>['file']
type Table = Awaited<ReturnType<Client['tables']['listTables']>>['tables'][number]

/** Returns the ids of the target by those of the source. */
export async function moveKnowledgeBases(move: BotMove): Promise<Map<string, string>> {
  const ids = await movedKnowledgeBases(move)
  for await (const { items } of knowledgeBasePages(move, move.read))
    for (const { id, name, tags } of items.reverse()) {
      if (ids.has(id)) continue
      const body = { name, tags: { ...tags, [sourceTag]: id } }
      const once = onceOnly(move, 'knowledge base', move.targetId, id)
      const { knowledgeBase } = await move.write.files.createKnowledgeBase({ body }, once)
      ids.set(id, knowledgeBase.id)
      move.findings.add('knowledge bases', 1)
    }
  return ids
}

export const knowledgeBasePages = ({ pages }: Migration, { files }: Client) =>
  pages(async (query) => {
    const { knowledgeBases, meta } = await files.listKnowledgeBases({ query })
    return { items: knowledgeBases, ...meta }
  })

async function movedKnowledgeBases(move: BotMove): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for await (const { items } of knowledgeBasePages(move, move.write))
    for (const { id, tags } of items) {
      const source = tags?.[sourceTag]
      if (source !== undefined) ids.set(source, id)
    }
  return ids
}

export const filePages = ({ pages }: Migration, { files }: Client, start?: string) =>
  pages(async (query) => {
    const sorting = { sortField: 'createdAt', sortDirection: 'asc' } as const
    const { files: items, meta } = await files.listFiles({
      query: { ...sorting, ...query },
    })
    return { items, ...meta }
  }, start)

/** Returns why a file cannot move; null if it can. */
export function fileObstacle({ owner, status, expiresAt }: StoredFile): string | null {
  if (owner?.type === 'integration') return 'the file belongs to an integration'
  if (status === 'upload_pending' || status === 'upload_failed')
    return 'it has no content'
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
    ? 'it has expired'
    : null
}

/** Returns the address of the content. Throws if the content is too large or at another host. */
export function contentUrl(
  { from, filesFrom, maxFileBytes }: Migration,
  file: StoredFile,
): URL {
  if ((file.size ?? 0) > maxFileBytes) throw tooLarge()
  return rejectForeign(file.url, from, filesFrom)
}

export async function moveFiles(
  move: BotMove,
  knowledgeBases: Map<string, string>,
): Promise<void> {
  const position = move.key('files')
  const folder = mkdtempSync(join(tmpdir(), 'botstead-migration-'))
  let count = 0
  try {
    for await (const { items, nextToken } of filePages(
      move,
      move.read,
      move.journal.get(position),
    )) {
      for (const file of items) {
        await moveFile(move, file, knowledgeBases, join(folder, 'content'))
        move.show(`${move.bot.name}: ${++count} files`)
      }
      move.journal.set(position, nextToken ?? '')
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function moveFile(
  move: BotMove,
  file: StoredFile,
  knowledgeBases: Map<string, string>,
  path: string,
): Promise<void> {
  const obstacle = fileObstacle(file)
  if (obstacle) return move.findings.note(move.bot.name, 'files', obstacle, 1, file.key)
  const place = /^knowledge\/([^/]+)\//.exec(file.key)
  const base = place && knowledgeBases.get(place[1]!)
  const key = base ? file.key.replace(place[1]!, () => base) : file.key
  const tags = toEntries(file.tags).map(([name, value]) => [
    name,
    knowledgeBases.get(value) ?? value,
  ])
  try {
    if (await isStored(move, key, file)) return
    const { contentType, metadata, accessPolicies, index, expiresAt } = file
    await transfer(move, file, path, {
      key,
      contentType,
      metadata,
      accessPolicies,
      index,
      tags: Object.fromEntries(tags) as Record<string, string>,
      ...(expiresAt !== undefined && { expiresAt }),
    })
    move.findings.add('files', 1)
  } catch (error) {
    if (!isObstacle(error)) throw error
    move.findings.reject(move.bot.name, 'files', error, file.key)
  }
}

/** An earlier run has moved it, and it has not changed since. */
async function isStored(
  { write }: BotMove,
  key: string,
  file: StoredFile,
): Promise<boolean> {
  if (!isPathPart(key)) return false
  try {
    const { file: stored } = await write.files.getFile({ params: { id: key } })
    return (
      stored.size === file.size &&
      !stored.status.startsWith('upload_p') &&
      Date.parse(stored.updatedAt) >= Date.parse(file.updatedAt)
    )
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return false
    throw error
  }
}

/** Repeats both halves after a failure, because the content is only in a temporary file. */
const transfer = (
  move: BotMove,
  file: StoredFile,
  path: string,
  body: Parameters<typeof uploadFile>[2],
) =>
  repeatDownload(async (attempt) => {
    const current =
      attempt === 1 || !isPathPart(file.id)
        ? file
        : (await move.read.files.getFile({ params: { id: file.id } })).file
    await download(contentUrl(move, current), path, move.maxFileBytes)
    await uploadFile(move.write, path, body)
  })

export async function moveTables(move: BotMove): Promise<void> {
  const { tables } = await move.read.tables.listTables({})
  for (const table of tables) {
    if (move.journal.get(move.key('table', table.id)) === 'done') continue
    try {
      await moveTable(move, table)
    } catch (error) {
      if (!isObstacle(error)) throw error
      move.findings.reject(move.bot.name, 'tables', error, table.name)
    }
  }
}

async function moveTable(move: BotMove, table: Table): Promise<void> {
  const { id, name, schema, keyColumn, tags, factor, frozen } = table
  checkName(table)
  const progress = move.journal.get(move.key('table', id))
  // Computations would call models for values that the rows bring along.
  const { created, rows } = await move.write.tables.getOrCreateTable({
    params: { table: name },
    body: {
      schema,
      isComputeEnabled: false,
      ...(keyColumn && { keyColumn }),
      ...(tags && { tags }),
      ...(factor !== undefined && { factor }),
    },
  })
  if (!created && progress === undefined && rows > 0) throw hasRows()
  if (created) move.findings.add('tables', 1)
  await moveRows(
    move,
    table,
    progress === undefined ? { offset: 0, written: 0 } : JSON.parse(progress),
    rows,
  )
  if (frozen)
    await move.write.tables.updateTable({ params: { table: name }, body: { frozen } })
  noteComputed(move, table)
  move.journal.set(move.key('table', id), 'done')
}

export function checkName({ id, name }: Table): void {
  if (!isPathPart(name) || !isPathPart(id)) throw new Unfetchable('its name is invalid')
}

export const hasRows = () => new Unfetchable('the target has a table with rows')

interface RowProgress {
  /** Rows of the source that were read. */
  offset: number
  /** Rows of the target that were written. */
  written: number
}

/** `stored`: the rows of the target. More than the journal has: an interrupted run wrote a batch. */
async function moveRows(
  move: BotMove,
  table: Table,
  progress: RowProgress,
  stored: number,
) {
  const columns = Object.keys(table.schema.properties)
  let { offset, written } = progress
  for (let isFirst = true; ; isFirst = false) {
    move.journal.set(move.key('table', table.id), JSON.stringify({ offset, written }))
    const { rows, hasMore } = await move.read.tables.findTableRows({
      params: { table: table.id },
      body: { limit: 200, offset, orderBy: 'id', orderDirection: 'asc' },
    })
    if (rows.length === 0) return
    if (isFirst && stored > written) written = stored
    else written += await writeRows(move, table, columns, rows)
    offset += rows.length
    move.show(`${move.bot.name}: ${offset} rows of ${table.name}`)
    if (!hasMore) return
  }
}

async function writeRows(
  move: BotMove,
  table: Table,
  columns: string[],
  rows: Record<string, unknown>[],
): Promise<number> {
  const { write, findings, bot, targetId } = move
  const cells = rows.map((row) =>
    Object.fromEntries(
      columns.flatMap((name) =>
        Object.hasOwn(row, name) && row[name] !== null ? [[name, row[name]]] : [],
      ),
    ),
  )
  const once = onceOnly(
    move,
    'rows',
    targetId,
    table.id,
    String(rows[0]!.id),
    String(rows.at(-1)!.id),
  )
  const request = { params: { table: table.name }, body: { rows: cells } }
  const { rows: stored, errors = [] } = await write.tables.createTableRows(request, once)
  findings.add('rows', stored.length)
  const rejected = rows.length - stored.length
  if (rejected > 0)
    findings.reject(bot.name, 'rows', errors[0] ?? 'rejected', table.name, rejected)
  return stored.length
}

export function noteComputed({ findings, bot }: BotSource, table: Table) {
  if (table.isComputeEnabled === false) return
  const computed = toEntries(table.schema?.properties).filter(
    ([, one]) => one?.['x-zui']?.computed,
  )
  const reason = 'the values move, but computing is off: turn it on in the dashboard'
  findings.note(bot.name, 'computed columns', reason, computed.length, table.name)
}
