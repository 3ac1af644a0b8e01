// The knowledge bases and tables that a document declares, and the documents beside it. A deployment
// creates missing ones and adds missing columns. It never changes or deletes any.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client } from '@botstead/client'
import type { ReadDocument } from './bot-document.ts'
import { uploadFiles } from './commands/files.ts'
import { itemsOf } from './server-client.ts'

type Document = ReadDocument['document']
type Declared = NonNullable<Document['tables']>[string]

export interface MissingData {
  knowledgeBases: string[]
  tables: string[]
  /** Missing columns by table. */
  columns: Record<string, string[]>
}

/** Compares the document with a bot. Everything is missing in a new bot, for which `client` is null. */
export async function findMissingData(
  client: Client | null,
  document: Document,
): Promise<MissingData> {
  const bases = baseNames(document)
  const existing = client && bases.length > 0 ? await knowledgeBaseIds(client) : new Map()
  const declared = Object.entries(document.tables ?? {})
  const columns = client && declared.length > 0 ? await columnsByTable(client) : new Map()
  const missing = declared
    .filter(([name]) => columns.has(name))
    .map(([name, table]) => {
      const names = Object.keys(columnsOf(table))
      return [name, names.filter((column) => !columns.get(name).has(column))] as const
    })
  return {
    knowledgeBases: bases.filter((name) => !existing.has(name)),
    tables: declared.map(([name]) => name).filter((name) => !columns.has(name)),
    columns: Object.fromEntries(missing.filter(([, names]) => names.length > 0)),
  }
}

export async function createMissingData(client: Client, document: Document): Promise<void> {
  const { knowledgeBases, tables, columns } = await findMissingData(client, document)
  for (const name of knowledgeBases) await client.files.createKnowledgeBase({ body: { name } })
  for (const table of tables) {
    const { schema, keyColumn } = document.tables![table]!
    const body = { schema, ...(keyColumn !== undefined && { keyColumn }) }
    await client.tables.getOrCreateTable({ params: { table }, body })
  }
  for (const [table, names] of Object.entries(columns)) {
    const all = columnsOf(document.tables![table]!)
    const properties = Object.fromEntries(names.map((name) => [name, all[name]]))
    const schema = { type: 'object', properties }
    await client.tables.updateTable({ params: { table }, body: { schema } })
  }
}

/** Returns the folders `knowledge/<name>` beside the document, of its knowledge bases. */
export const knowledgeFolders = ({ path, document }: ReadDocument) =>
  baseNames(document)
    .map((name) => ({ name, folder: join(dirname(path), 'knowledge', name) }))
    .filter(({ folder }) => existsSync(folder))

/** Uploads the changed files of `knowledge/<name>` beside the document. */
export async function uploadKnowledge(client: Client, read: ReadDocument): Promise<void> {
  const folders = knowledgeFolders(read)
  if (folders.length === 0) return
  const ids = await knowledgeBaseIds(client)
  for (const { name, folder } of folders)
    await uploadFiles(client, [folder], { knowledge: ids.get(name)! })
}

const baseNames = ({ knowledgeBases = {} }: Document) => [
  ...new Set(Object.entries(knowledgeBases).map(([key, { name = key }]) => name)),
]

/** The schema of a table may be only its `properties`. */
const columnsOf = ({ schema }: Declared): Record<string, unknown> =>
  (schema.type === 'object' && typeof schema.properties === 'object'
    ? schema.properties
    : schema) as Record<string, unknown>

async function knowledgeBaseIds({ files }: Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const existing = itemsOf(async (query) => {
    const { knowledgeBases, meta } = await files.listKnowledgeBases({ query })
    return { items: knowledgeBases, ...meta }
  })
  for await (const { id, name } of existing) ids.set(name, id)
  return ids
}

async function columnsByTable({ tables }: Client): Promise<Map<string, Set<string>>> {
  const { tables: existing } = await tables.listTables({ query: {} })
  return new Map(
    existing.map(({ name, schema }) => [name, new Set(Object.keys(schema.properties))]),
  )
}
