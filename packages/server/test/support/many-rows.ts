// Fills the tables of a scene with up to a million rows, in seconds: without triggers and foreign
// keys, and with indexes that are built afterwards. Row `rare` of each table has rare
// values, and all other rows are newer, so a scan in the order of a listing finds it last.
import pg from 'pg'
import type { ConnectionSettings } from '../../src/core/db/database.ts'
import { type Fill, many } from './filled-rows/columns.ts'
import { contentRows } from './filled-rows/content-rows.ts'
import { insightRows } from './filled-rows/insight-rows.ts'
import { messagingRows } from './filled-rows/messaging-rows.ts'
import { workspaceRows } from './filled-rows/workspace-rows.ts'

export interface FilledScene {
  connection: ConnectionSettings
  botId: string
  workspaceId: string
  accountId: string
}

const fills: Record<string, Fill> = {
  ...messagingRows,
  ...insightRows,
  ...contentRows,
  ...workspaceRows,
}

/** `parameters` are the values of `:chatUser` and the like. `maxRows` limits the rows. */
export async function fillTables(
  connection: ConnectionSettings,
  parameters: Record<string, string>,
  maxRows = { largest: many, others: many },
): Promise<void> {
  const getMax = (table: string) =>
    table === 'conversation' || table === 'table_row' ? maxRows.largest : maxRows.others
  const tables = Object.entries(fills).map(
    ([name, { rows, values }]) =>
      [name, { values, rows: Math.min(rows, getMax(name)) }] as const,
  )
  // Two connections, one of which also runs the longest.
  await Promise.all([work(), work()])
  async function work() {
    const client = new pg.Client(connection)
    await client.connect()
    try {
      await client.query(`set session_replication_role = replica; set maintenance_work_mem = '256MB';
        set synchronous_commit = off`)
      for (let next = tables.shift(); next; next = tables.shift())
        await fillTable(client, ...next, parameters)
    } finally {
      await client.end()
    }
  }
}

async function fillTable(
  client: pg.Client,
  table: string,
  { rows, values }: Fill,
  parameters: Record<string, string>,
) {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = $1::regclass
      and not exists (select from pg_constraint where conindid = indexrelid)`,
    [`"${table}"`],
  )
  const select = Object.values(values)
    .join(', ')
    .replaceAll(/(?<!:):([a-z]\w*)/gi, (_, name) => pg.escapeLiteral(parameters[name]!))
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const columns = Object.keys(values).map((name) => `"${name}"`)
  await client.query(
    `insert into "${table}" (${columns.join(', ')}) select ${select} from generate_series(1, ${rows}) i`,
  )
  for (const { definition } of indexes) await client.query(definition)
  await client.query(`vacuum analyze "${table}"`)
}
