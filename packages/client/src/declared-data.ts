// The knowledge bases and tables that a bot document declares. A deployment creates missing ones and adds
// missing columns, from the command line as from the dashboard. It never changes or deletes any.
import type { CallOptions, Client } from './client.ts'
import { itemsOf } from './pages.ts'

type Json = Record<string, unknown>

interface DeclaredTable {
  /** May be only its `properties`. */
  schema: Json
  keyColumn?: string | undefined
}

/** The parts of a document that declare data. */
interface DeclaredData {
  knowledgeBases?: Record<string, { name?: string | undefined }> | undefined
  tables?: Record<string, DeclaredTable> | undefined
}

export interface MissingData {
  knowledgeBases: string[]
  tables: string[]
  /** Missing columns by table. */
  columns: Record<string, string[]>
}

/**
 * Compares the document with a bot, which the client or the headers name. Everything is missing in a new
 * bot, for which `client` is null.
 */
export async function findMissingData(
  client: Client | null,
  document: DeclaredData,
  options: CallOptions = {},
): Promise<MissingData> {
  const bases = namesOfKnowledgeBases(document)
  const existing =
    client && bases.length > 0 ? await findKnowledgeBases(client, options) : new Map()
  const declared = Object.entries(document.tables ?? {})
  const columns =
    client && declared.length > 0 ? await columnsByTable(client, options) : new Map()
  const missing = declared
    .filter(([name]) => columns.has(name))
    .map(([name, table]) => {
      const names = Object.keys(toColumns(table))
      return [name, names.filter((column) => !columns.get(name).has(column))] as const
    })
  return {
    knowledgeBases: bases.filter((name) => !existing.has(name)),
    tables: declared.map(([name]) => name).filter((name) => !columns.has(name)),
    columns: Object.fromEntries(missing.filter(([, names]) => names.length > 0)),
  }
}

export async function createMissingData(
  client: Client,
  document: DeclaredData,
  options: CallOptions = {},
): Promise<void> {
  const { knowledgeBases, tables, columns } = await findMissingData(
    client,
    document,
    options,
  )
  for (const name of knowledgeBases)
    await client.files.createKnowledgeBase({ body: { name } }, options)
  for (const table of tables) {
    const { schema, keyColumn } = document.tables![table]!
    const body = { schema, ...(keyColumn !== undefined && { keyColumn }) }
    await client.tables.getOrCreateTable({ params: { table }, body }, options)
  }
  for (const [table, names] of Object.entries(columns)) {
    const all = toColumns(document.tables![table]!)
    const properties = Object.fromEntries(names.map((name) => [name, all[name]]))
    const schema = { type: 'object', properties }
    await client.tables.updateTable({ params: { table }, body: { schema } }, options)
  }
}

export const namesOfKnowledgeBases = ({
  knowledgeBases = {},
}: DeclaredData): string[] => [
  ...new Set(Object.entries(knowledgeBases).map(([key, { name = key }]) => name)),
]

/** Returns the ids of the bot's knowledge bases by name. */
export async function findKnowledgeBases(
  { files }: Client,
  options: CallOptions = {},
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const existing = itemsOf(async (query) => {
    const { knowledgeBases, meta } = await files.listKnowledgeBases({ query }, options)
    return { items: knowledgeBases, ...meta }
  })
  for await (const { id, name } of existing) ids.set(name, id)
  return ids
}

const toColumns = ({ schema }: DeclaredTable): Json =>
  schema.type === 'object' && typeof schema.properties === 'object'
    ? (schema.properties as Json)
    : schema

async function columnsByTable({ tables }: Client, options: CallOptions) {
  const { tables: existing } = await tables.listTables({ query: {} }, options)
  return new Map(
    existing.map(({ name, schema }) => [name, new Set(Object.keys(schema.properties))]),
  )
}
